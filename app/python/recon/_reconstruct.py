from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Sequence

import numpy as np

from . import _program
from ._arrays import COMPLEX, REAL, found, in_single_precision, on_host, readable, voxels
from ._command_line import accepted, outputs, words
from ._run import Log, run


@dataclass
class Reconstruction:
    """What a reconstruction gives."""

    image: np.ndarray  #: complex64 [z, y, x], or [frame, z, y, x] of a series
    record: dict[str, Any]  #: options in force, residuals, predicted error, timings, log: docs/output-formats.md
    log: str  #: what the program said


def _of_all_readouts(values: np.ndarray, kspace: np.ndarray, trajectory: np.ndarray) -> np.ndarray:
    """Values [sample] or [1, sample] of one readout hold for all, as in HDF5 files; others are as they are."""
    readouts, samples = (trajectory.shape[-3:-1] if trajectory.ndim > 2 else kspace.shape[-2:] if kspace.ndim > 2 else (1, values.size))
    is_of_one = values.shape in ((samples,), (1, samples)) and readouts > 1
    return np.broadcast_to(values, (readouts, samples)) if is_of_one else values


def _labels(labels: Any) -> np.ndarray:
    array = readable(labels, "frame_labels", "whole numbers")
    if array.ndim != 2 or array.shape[1] != 5 or array.dtype.kind not in "iu":
        raise ValueError(f"{found('frame_labels', array)}, expected whole numbers [frame, 5]: contrast, repetition, set, slice, phase")
    return array


def _scan_arrays(kspace: Any, trajectory: Any, labels: Any, noise: Any, of_samples: dict[str, Any]) -> dict[str, np.ndarray]:
    kspace = on_host(kspace, "kspace", COMPLEX)
    trajectory = on_host(trajectory, "trajectory", REAL)
    if trajectory.ndim < 2 or trajectory.dtype.kind not in "fiu":
        raise ValueError(f"{found('trajectory', trajectory)}, expected real numbers "
                         "[sample, dimension] or [readout, sample, dimension]")
    if kspace.dtype.kind != "c" or kspace.ndim == 0:
        raise ValueError(f"{found('kspace', kspace)}, expected complex numbers "
                         "[coil, sample] or [coil, readout, sample]")
    arrays = {"kspace": in_single_precision(kspace, "kspace"), "trajectory": trajectory.astype(np.float64, copy=False)}
    if labels is not None:
        arrays["frame_labels"] = _labels(labels)
    for name, array in of_samples.items():
        if array is not None:
            arrays[name] = _of_all_readouts(readable(array, name, REAL), kspace, trajectory)
    if noise is not None:
        arrays["noise"] = readable(noise, "noise", COMPLEX)
    return arrays


def reconstruct(
    kspace: Any,
    trajectory: Any,
    *,
    matrix: int | Sequence[int],
    fov: float | Sequence[float] | None = None,
    trajectory_unit: str | None = None,
    coil_maps: Any = None,
    sample_times_s: Any = None,
    density_weights: Any = None,
    frame_labels: Any = None,
    noise: Any = None,
    verbose: bool = False,
    progress: Callable[[str, int, int, float], object] | None = None,
    **options: Any,
) -> Reconstruction:
    """Reconstructs an image. Arrays are NumPy's, or of any library with `__dlpack__` (PyTorch, CuPy, JAX); they go to the program
    through the host's memory, wherever they are, and the image is NumPy's. `recon.operators` works on a GPU's memory in place.

    kspace           complex [coil, readout, sample], [coil, sample], [sample], or [frame, coil, readout, sample]
    trajectory       real [readout, sample, dimension] or [sample, dimension]; 1 to 3 dimensions x, y, z
    matrix           voxels along x, y, z; one number for all axes of the scan
    fov              field of view in mm along x, y, z
    trajectory_unit  "cycles/FOV" (+-N/2), "cycles/voxel" (+-0.5), "rad/voxel" (+-pi), "k/kmax" (+-1), "1/m", "rad/m", "1/mm", "rad/mm"; told by the range
                     where that is possible
    coil_maps        complex [coil, z, y, x], or [slice, coil, z, y, x] with slices in `frame_labels`; "espirit", "walsh" or "nlinv" (default for several coils: "espirit", or "nlinv" where samples leave the centre of k-space open)
    sample_times_s   real, like the positions, [frame, readout, sample], or [sample] of one readout for all: seconds since excitation, for field_map=
    density_weights  real, likewise; used with weights="density"
    frame_labels     whole numbers [frame, 5]: contrast, repetition, set, slice, phase of each frame; without them frames are repetitions
    noise            complex [coil, sample], measured without signal: whitens the coils
    verbose          lets the program write its log to stderr, but for its warnings, which are Python's
    progress         is called after each iteration: progress(solution, iteration, most, residual), such as ("local pass", 3, 200, 1e-3)
    options          all others of the command line by their names (`recon --help`), - as _: iterations=50, prior="tv",
                     baseline=True, no_check=True (or check=False), lambda_=1e-3, report="page.html"; None and False leave an
                     option out. Arrays (field_map=, reference=, prior_image=)
                     are [z, y, x].

    What the program warns of is a ReconWarning. Raises ReconError with the program's message, ValueError for arrays and values that
    cannot be, and KeyboardInterrupt after Ctrl-C, when the program has ended: it writes its checkpoint=, with keep_partial=True its
    image into out=; a second Ctrl-C kills it.
    """
    of_samples = {"sample_times_s": sample_times_s, "density_weights": density_weights}
    arrays = _scan_arrays(kspace, trajectory, frame_labels, noise, of_samples)
    program = _program.program()
    known = _program.options(program)
    given = accepted({"matrix": None if matrix is None else voxels(matrix), "fov": fov, "trajectory_unit": trajectory_unit or None,
                      "coil_maps": coil_maps, **options}, known)
    if progress:
        given["verbose"] = True  # else only some iterations are told
    with tempfile.TemporaryDirectory(prefix="recon-") as name:
        folder = Path(name)
        np.savez(folder / "scan.npz", **arrays)
        given = {"scan": folder / "scan.npz", **outputs(given, folder)}
        log = Log(f"{folder}{os.sep}", verbose, progress)
        code = run([program, *words(given, known, folder)], log)
        if code != 0:
            raise _program.failure(program, code, log.text)
        if not Path(given["json"]).exists():
            raise ValueError("there is no image with these options: those that print, as print_config and help do, are for the command line")
        record = Path(given["json"]).read_text(encoding="utf-8", errors="replace").replace(f"{folder}{os.sep}", "")
        return Reconstruction(np.load(given.get("npy", given["out"])), json.loads(record), log.text)
