"""The same sums and solutions by the libraries of the field, in their own conventions: those of the table in
docs/tutorials/python.md. RECON_PYTHONPATH is the folder in which recon with its operators must be; without it recon is installed, or
the exit code is 77. A library that is missing is skipped by name."""

import os
import sys
import unittest
import warnings

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

if "RECON_PYTHONPATH" in os.environ:
    sys.path.insert(0, os.environ["RECON_PYTHONPATH"])
try:
    from recon.operators import Encoding, Nufft, as_sigpy
except ImportError as missing:
    if "RECON_PYTHONPATH" in os.environ:
        raise
    print(f"skipped: {missing}")
    sys.exit(77)
import recon

EVEN_AND_ODD = ((10, 12), (9, 11), (9, 12), (5, 6, 7), (13,))


def numbers(random, shape):
    return random.normal(size=shape) + 1j * random.normal(size=shape)


def distance(a, b):
    return np.linalg.norm(np.asarray(a).ravel() - np.ravel(b)) / np.linalg.norm(b)


class SameSums(unittest.TestCase):
    """What each library calls forward and adjoint, beside ours, on even and odd matrices of one to three dimensions."""

    def compare(self, library, theirs, tolerance, shapes=EVEN_AND_ODD):
        """@param theirs  (k, shape) -> forward(image), adjoint(samples) at the scale of ours"""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                __import__(library)
        except ImportError as missing:
            self.skipTest(str(missing))
        for shape in shapes:
            random = np.random.default_rng(3)
            k = random.uniform(-0.5, 0.5, (300, len(shape))) * shape[::-1]
            image, samples = numbers(random, shape), numbers(random, len(k))
            ours = Nufft(k, shape[::-1], double=True, tol=1e-9, device="cpu")
            with self.subTest(shape=shape), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                forward, adjoint = theirs(k, shape)
                self.assertLess(distance(forward(image), ours.forward(image)), tolerance)
                self.assertLess(distance(adjoint(samples), ours.adjoint(samples)), tolerance)

    def test_finufft(self):
        def theirs(k, shape):
            import finufft
            points = list((2 * np.pi * k[:, ::-1] / shape).T.copy())
            d = len(shape)
            forward, adjoint = getattr(finufft, f"nufft{d}d2"), getattr(finufft, f"nufft{d}d1")
            return (lambda image: forward(*points, image, eps=1e-9, isign=-1),
                    lambda samples: adjoint(*points, samples, shape if d > 1 else shape[0], eps=1e-9, isign=1))

        self.compare("finufft", theirs, 1e-7)

    def test_sigpy(self):
        def theirs(k, shape):
            import sigpy
            root = np.sqrt(np.prod(shape))
            return (lambda image: root * sigpy.nufft(image, k[:, ::-1], oversamp=2, width=8),
                    lambda samples: root * sigpy.nufft_adjoint(samples, k[:, ::-1], shape, oversamp=2, width=8))

        self.compare("sigpy", theirs, 1e-5)

    def test_torchkbnufft(self):
        def theirs(k, shape):
            import torch
            import torchkbnufft
            omega = torch.tensor((2 * np.pi * k[:, ::-1] / shape).T.copy())
            options = dict(im_size=shape, dtype=torch.complex128, numpoints=8)
            forward, adjoint = torchkbnufft.KbNufft(**options), torchkbnufft.KbNufftAdjoint(**options)
            return (lambda image: forward(torch.tensor(image)[None, None], omega).numpy(),
                    lambda samples: adjoint(torch.tensor(samples)[None, None], omega).numpy())

        self.compare("torchkbnufft", theirs, 3e-3)

    def test_pynufft(self):
        """Of even matrices: those of odd ones have PyNUFFT's middle half a voxel aside."""
        def theirs(k, shape):
            import pynufft
            fine = tuple(2 * n for n in shape)
            nufft = pynufft.NUFFT()
            nufft.plan(2 * np.pi * k[:, ::-1] / shape, shape, fine, (8,) * len(shape))
            return nufft.forward, lambda samples: np.prod(fine) * nufft.adjoint(samples)

        self.compare("pynufft", theirs, 3e-3, [(10, 12), (10, 8, 12), (14,)])

    def test_mri_nufft(self):
        def theirs(k, shape):
            import mrinufft
            nufft = mrinufft.get_operator("finufft")((k[:, ::-1] / shape).astype(np.float64), shape, n_coils=1)
            root = np.sqrt(np.prod(shape) * 2 ** len(shape))
            return lambda image: root * nufft.op(image), lambda samples: root * nufft.adj_op(samples)

        self.compare("mrinufft", theirs, 1e-5)

    def test_mrpro(self):
        def theirs(k, shape):
            import torch
            from mrpro.data import KTrajectory, SpatialDimension
            from mrpro.operators import FourierOp
            matrix = (1,) * (3 - len(shape)) + tuple(shape)
            parts = [torch.tensor(k[:, i].copy(), dtype=torch.float32).reshape(1, 1, 1, 1, -1) if i < len(shape)
                     else torch.zeros(1, 1, 1, 1, 1) for i in range(3)]
            fourier = FourierOp(SpatialDimension(*matrix), SpatialDimension(*matrix), KTrajectory(*parts[::-1]))
            root = np.sqrt(np.prod(shape))
            single = dict(dtype=torch.complex64)
            return (lambda image: root * fourier(torch.tensor(image, **single).reshape(1, 1, *matrix))[0].numpy(),
                    lambda samples: root * fourier.adjoint(torch.tensor(samples, **single).reshape(1, 1, 1, 1, -1))[0].numpy())

        self.compare("mrpro", theirs, 1e-5)


class SameSolutions(unittest.TestCase):
    """A scan of three coils, with noise, least squares with a ridge."""

    def setUp(self):
        random = np.random.default_rng(5)
        self.shape, self.lambda_ = (14, 17), 0.02
        angles = np.pi * np.arange(24)[:, None] / 24
        radius = np.arange(-17, 17)[None, :] / 2
        self.k = np.stack([radius * np.cos(angles), radius * np.sin(angles) * 14 / 17], axis=-1)
        y, x = np.meshgrid(*((np.arange(n) - n // 2) / n for n in self.shape), indexing="ij")
        self.maps = np.stack([np.exp(-2 * ((x - a) ** 2 + (y - b) ** 2) + 1j * a * y) for a, b in ((-0.4, 0), (0.3, 0.4), (0.2, -0.3))])
        self.image = ((x / 0.4) ** 2 + (y / 0.3) ** 2 < 1) * np.exp(1j * x)
        self.encoding = Encoding(self.k, self.shape[::-1], coil_maps=self.maps, double=True, tol=1e-9, device="cpu")
        self.kspace = self.encoding.forward(self.image)
        self.kspace += numbers(random, self.kspace.shape)
        self.solution = self.encoding.solve(self.kspace, iterations=300, stop=1e-11, lambda_=self.lambda_).image

    def test_sigpy_sense(self):
        try:
            import sigpy.mri
        except ImportError as missing:
            self.skipTest(str(missing))
        root, samples = np.sqrt(np.prod(self.shape)), self.k[..., 0].size
        theirs = sigpy.mri.app.SenseRecon(self.kspace / root, self.maps, lamda=self.lambda_ * samples / root**2, coord=self.k[..., ::-1],
                                          max_iter=300, tol=1e-12, show_pbar=False).run()
        self.assertLess(distance(theirs, self.solution), 0.01)  # SigPy's kernel is 4 wide on 1.25 times the grid
        same = sigpy.app.LinearLeastSquares(as_sigpy(self.encoding), self.kspace, lamda=self.lambda_ * samples, max_iter=300, tol=1e-12,
                                            show_pbar=False).run()
        self.assertLess(distance(same, self.solution), 1e-6)

    def test_the_program(self):
        """As `reconstruct` has it, which is what the operators solve."""
        if recon.program() is None:
            self.skipTest("no program")
        found = recon.reconstruct(self.kspace, self.k, matrix=self.shape[::-1], coil_maps=self.maps[:, None], prior="identity", no_check=True,
                                  lambda_=self.lambda_, iterations=300, stop=1e-7, trajectory_unit="cycles/FOV", device="cpu", no_cache=True)
        self.assertLess(distance(found.image[0], self.solution), 1e-4)  # in single precision

    def test_weights_are_squared_roots_as_in_sigpy(self):
        try:
            import sigpy.mri
        except ImportError as missing:
            self.skipTest(str(missing))
        weights = np.hypot(*np.moveaxis(self.k, -1, 0)) + 0.1
        ours = Encoding(self.k, self.shape[::-1], coil_maps=self.maps, weights=weights, device="cpu", double=True, tol=1e-9)
        theirs = sigpy.mri.linop.Sense(self.maps, coord=self.k[..., ::-1], weights=weights)
        self.assertLess(distance(np.sqrt(np.prod(self.shape)) * theirs(self.image), ours.forward(self.image)), 0.01)


if __name__ == "__main__":
    unittest.main()
