"""Positions of pypulseq's sequences: python3 test_pulseq.py, with RECON_PROGRAM; exit code 77 without pypulseq."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy as np
    import pypulseq as pp
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PLAIN = ["--prior", "none", "--iterations", "3", "--no-check", "--device", "cpu", "--no-cache", "--quiet", "--matrix", "24", "24"]
FIELD_OF_VIEW = ["--fov", "240", "240"]


def recon(*arguments):
    done = subprocess.run([os.environ["RECON_PROGRAM"], *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


def radial(refocus):
    """Spokes with ramps, prephased; with a pulse of 180 degrees between prephaser and readout, if asked for."""
    system = pp.Opts(max_grad=30, grad_unit="mT/m", max_slew=120, slew_unit="T/m/s", rf_dead_time=100e-6, adc_dead_time=10e-6)
    sequence = pp.Sequence(system)
    for spoke in range(5):
        angle = np.pi * spoke / 5
        sequence.add_block(pp.make_block_pulse(np.pi / 6, duration=0.2e-3, system=system, use="excitation"))
        readout = pp.make_trapezoid("x", flat_area=24 / 0.24, flat_time=0.96e-3, system=system)
        before = pp.make_trapezoid("x", area=(1 if refocus else -1) * readout.area / 2, system=system)
        sequence.add_block(*pp.rotate(before, angle=angle, axis="z"))
        if refocus:
            sequence.add_block(pp.make_block_pulse(np.pi, duration=0.4e-3, system=system, use="refocusing"))
        adc = pp.make_adc(48, dwell=20e-6, delay=readout.rise_time, system=system)
        sequence.add_block(*pp.rotate(readout, adc, angle=angle, axis="z"))
        sequence.add_block(pp.make_delay(2e-3))
    return sequence


def spiral():
    """Arbitrary gradients on the raster."""
    system = pp.Opts(max_grad=60, grad_unit="mT/m", max_slew=500, slew_unit="T/m/s", rf_dead_time=100e-6, adc_dead_time=10e-6)
    sequence = pp.Sequence(system)
    t = np.arange(0, 601) * system.grad_raster_time
    k = (t / t[-1]) ** 2 * 45 * np.exp(2j * np.pi * 5 * (t / t[-1]) ** 1.5)
    gradient = np.diff(k) / system.grad_raster_time
    sequence.add_block(pp.make_block_pulse(np.pi / 6, duration=0.2e-3, system=system, use="excitation"))
    gx = pp.make_arbitrary_grad("x", gradient.real, system=system, first=0, last=gradient.real[-1])
    gy = pp.make_arbitrary_grad("y", gradient.imag, system=system, first=0, last=gradient.imag[-1])
    sequence.add_block(gx, gy, pp.make_adc(580, dwell=10e-6, delay=20e-6, system=system))
    sequence.add_block(pp.make_extended_trapezoid("x", times=np.array([0, 1e-3]), amplitudes=np.array([gradient.real[-1], 0]),
                                                 system=system),
                       pp.make_extended_trapezoid("y", times=np.array([0, 1e-3]), amplitudes=np.array([gradient.imag[-1], 0]),
                                                 system=system))
    return sequence


def series(labelled):
    """Spokes of three repetitions, each at angles of its own; with labels their slices alternate, and a navigator comes first."""
    system = pp.Opts(max_grad=30, grad_unit="mT/m", max_slew=120, slew_unit="T/m/s", rf_dead_time=100e-6, adc_dead_time=10e-6)
    sequence = pp.Sequence(system)
    labels = lambda **values: [pp.make_label(name, "SET", value) for name, value in values.items()] if labelled else []
    for repetition in range(3):
        for spoke in range(5):
            for slice_number in (1, 0) if labelled else (0,):
                angle = np.pi * (5 * repetition + spoke + 0.4 * slice_number) * 0.618
                sequence.add_block(pp.make_block_pulse(np.pi / 6, duration=0.2e-3, system=system, use="excitation"))
                if labelled and spoke == 0:
                    sequence.add_block(pp.make_adc(48, dwell=20e-6, delay=20e-6, system=system), *labels(NAV=1))
                readout = pp.make_trapezoid("x", flat_area=24 / 0.24, flat_time=0.96e-3, system=system)
                sequence.add_block(*pp.rotate(pp.make_trapezoid("x", area=-readout.area / 2, system=system), angle=angle, axis="z"))
                adc = pp.make_adc(48, dwell=20e-6, delay=readout.rise_time, system=system)
                sequence.add_block(*pp.rotate(readout, adc, angle=angle, axis="z"), *labels(NAV=0, SLC=slice_number, REP=repetition))
                sequence.add_block(pp.make_delay(2e-3))
    return sequence


class Pulseq(unittest.TestCase):
    def check(self, sequence, readouts):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            file = folder + "/sequence.seq"
            sequence.set_definition("FOV", [0.24, 0.24, 0.005])
            sequence.write(file)
            k = sequence.calculate_kspace()[0]  # [3, sample], 1/m
            positions = k.T.reshape(readouts, -1, 3)
            random = np.random.default_rng(2)
            kspace = random.normal(size=(1, *positions.shape[:2])) + 1j * random.normal(size=(1, *positions.shape[:2]))
            np.savez(folder + "/with.npz", kspace=kspace, trajectory=positions[..., :2], trajectory_unit=np.array("1/m"))
            np.savez(folder + "/without.npz", kspace=kspace)
            recon("--scan", folder + "/with.npz", "--out", folder + "/a.npy", *PLAIN, *FIELD_OF_VIEW)
            recon("--scan", folder + "/without.npz", "--trajectory", file, "--out", folder + "/b.npy", *PLAIN, *FIELD_OF_VIEW)
            recon("--scan", folder + "/without.npz", "--trajectory", file, "--out", folder + "/c.npy", *PLAIN)
            np.testing.assert_array_equal(np.load(folder + "/b.npy"), np.load(folder + "/c.npy"))
            a, b = np.load(folder + "/a.npy"), np.load(folder + "/b.npy")
        self.assertGreater(np.abs(positions).max(), 40)
        self.assertLess(np.linalg.norm(a - b) / np.linalg.norm(a), 1e-3)

    def test_gradient_echo(self):
        self.check(radial(False), 5)

    def test_spin_echo(self):
        self.check(radial(True), 5)

    def test_spiral(self):
        self.check(spiral(), 1)

    def frames(self, labelled):
        """Images of frames whose positions are the sequence's, beside those of positions in the order of the frames."""
        sequence = series(labelled)
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            sequence.set_definition("FOV", [0.24, 0.24, 0.005])
            sequence.write(folder + "/sequence.seq")
            positions = sequence.calculate_kspace()[0].T.reshape(-1, 48, 3)
            if labelled:
                positions = positions.reshape(3, -1, 48, 3)[:, 1:]  # without the navigators: of slice 1 first, of slice 0 third
                positions = np.stack([np.delete(part, 1, axis=0) for part in positions])
                order = [[(repetition, 2 * spoke + (1 - slice_number)) for spoke in range(5)] for repetition in range(3)
                         for slice_number in (0, 1)]
                positions = np.array([[positions[at] for at in frame] for frame in order])
                frame_labels = [[0, repetition, 0, slice_number, 0] for repetition in range(3) for slice_number in (0, 1)]
            else:
                positions = positions.reshape(3, 5, 48, 3)
                frame_labels = [[0, repetition, 0, 0, 0] for repetition in range(3)]
            count = len(positions)
            random = np.random.default_rng(2)
            kspace = random.normal(size=(count, 2, 5, 48)) + 1j * random.normal(size=(count, 2, 5, 48))
            np.savez(folder + "/with.npz", kspace=kspace, trajectory=positions[..., :2], trajectory_unit=np.array("1/m"), frame_labels=frame_labels)
            np.savez(folder + "/without.npz", kspace=kspace, frame_labels=frame_labels)
            recon("--scan", folder + "/with.npz", "--out", folder + "/a.npy", *PLAIN, *FIELD_OF_VIEW)
            recon("--scan", folder + "/without.npz", "--trajectory", folder + "/sequence.seq", "--out", folder + "/b.npy", *PLAIN)
            a, b = np.load(folder + "/a.npy"), np.load(folder + "/b.npy")
        self.assertEqual(len(b), count)
        self.assertLess(np.linalg.norm(a - b) / np.linalg.norm(a), 1e-3)

    def test_frames_one_after_the_other(self):
        self.frames(False)

    def test_frames_by_labels(self):
        self.frames(True)


if __name__ == "__main__":
    unittest.main()
