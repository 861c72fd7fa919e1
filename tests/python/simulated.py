"""A scan for tests."""

import numpy as np


def problem(shape=(10, 12), coils=2, samples=420, seed=3):
    """An image, maps, positions, and the k-space that follows by docs/conventions.md."""
    random = np.random.default_rng(seed)
    ny, nx = shape
    image = random.normal(size=shape) + 1j * random.normal(size=shape)
    maps = random.normal(size=(coils, *shape)) + 1j * random.normal(size=(coils, *shape))
    k = random.uniform(-0.5, 0.5, size=(samples, 2)) * [nx, ny]
    y, x = np.meshgrid((np.arange(ny) - ny // 2) / ny, (np.arange(nx) - nx // 2) / nx, indexing="ij")
    phases = np.exp(-2j * np.pi * (k[:, 0, None] * x.ravel() + k[:, 1, None] * y.ravel()))
    return image, maps, k, np.array([phases @ (m * image).ravel() for m in maps])


#: The image without what takes time, whatever the machine.
PLAIN = dict(trajectory_unit="cycles/FOV", prior="none", no_check=True, device="cpu", no_cache=True)
