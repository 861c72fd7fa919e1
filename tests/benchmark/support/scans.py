"""Scans and images as NumPy arrays, for benchmarks that make scans of their own, or change them."""
import json
import pathlib
import subprocess

import h5py
import numpy as np


class Program:
    """The commands of one recon, in one folder."""

    def __init__(self, recon, folder, threads=1):
        self.recon, self.folder, self.threads = str(recon), pathlib.Path(folder), str(threads)
        self.folder.mkdir(parents=True, exist_ok=True)

    def run(self, *words):
        done = subprocess.run([self.recon, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr[-2000:]}")

    def simulate(self, **options):
        """A simulated scan and the true image; options as on the command line, with _ for -.
        @return arrays of an .npz scan (docs/file-formats.md), truth [z, y, x]"""
        scan, truth = self.folder / "scan.npz", self.folder / "truth.h5"
        words = [word for key, value in options.items() for word in ("--" + key.replace("_", "-"), *str(value).split())]
        self.run("simulate", "--quiet", "--format", "npz", "--out", scan, "--truth", truth, *words)
        with np.load(scan) as file:
            arrays = {key: file[key] for key in file}
        return arrays, image_of(truth)

    def reconstruct(self, scan, *options):
        """@param scan  arrays of an .npz scan, or a path  @return image [z, y, x], record, the file's maps by name"""
        if isinstance(scan, dict):
            np.savez(self.folder / "scan.npz", **scan)
            scan = self.folder / "scan.npz"
        image, record = self.folder / "image.h5", self.folder / "run.json"
        self.run("--scan", scan, "--out", image, "--json", record, "--quiet", "--no-check", "--no-accuracy-check", "--device",
                 "cpu", "--threads", self.threads, "--no-cache", *options)
        maps = {}
        with h5py.File(image, "r") as file:
            file.visititems(lambda name, item: maps.update({name: item[()]}) if isinstance(item, h5py.Dataset) and item.ndim > 2 else None)
        return image_of(image), json.loads(record.read_text(encoding="utf-8")), maps


def image_of(path, name="image"):
    with h5py.File(path, "r") as file:
        values = file[name][()]
    return values.reshape(values.shape[-3:]) if values.ndim > 3 else values.reshape((1,) * (3 - values.ndim) + values.shape)


def sums(image, trajectory, piece=512):
    """sum_r image(r) exp(-i 2 pi k.r) in double precision, axis by axis.
    @param image  [..., z, y, x]  @param trajectory  [sample, 3], cycles per field of view  @return [..., sample]"""
    nz, ny, nx = image.shape[-3:]
    images = image.reshape(-1, nz, ny, nx)
    result = np.empty((len(images), len(trajectory)), np.complex128)
    for first in range(0, len(trajectory), piece):
        k = trajectory[first:first + piece]
        x, y, z = (np.exp(-2j * np.pi * np.outer(k[:, axis], (np.arange(n) - n // 2) / n)) for axis, n in enumerate((nx, ny, nz)))
        for number, one in enumerate(images):
            along_x = (one.reshape(nz * ny, nx) @ x.T).reshape(nz, ny, -1)
            result[number, first:first + piece] = np.einsum("zym,my,mz->m", along_x, y, z, optimize=True)
    return result.reshape(*image.shape[:-3], len(trajectory))


def scanned(arrays, image):
    """Noiseless k-space of an image [z, y, x] on the trajectory and with the coil maps of a scan."""
    trajectory = arrays["trajectory"].reshape(-1, arrays["trajectory"].shape[-1])
    maps = arrays.get("coil_maps", np.ones((1, *image.shape)))
    return sums(maps * image, trajectory).reshape(arrays["kspace"].shape)


def white_noise(generator, shape, sigma):
    """Complex, E |n|^2 = sigma^2."""
    return sigma / np.sqrt(2) * (generator.standard_normal(shape) + 1j * generator.standard_normal(shape))
