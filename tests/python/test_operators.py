"""Operators against sums in double precision, on arrays of several libraries. RECON_PYTHONPATH is the folder in which recon with its
operators must be; without it recon is installed, or the exit code is 77."""

import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
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
    import recon
    from recon.operators import Encoding, Nufft, Toeplitz, as_scipy, as_sigpy
except ImportError as missing:
    if "RECON_PYTHONPATH" in os.environ:
        raise
    print(f"skipped: {missing}")
    sys.exit(77)

try:
    import torch
except ImportError:
    torch = None
try:
    import cupy
except ImportError:
    cupy = None

DEVICE = os.environ.get("RECON_TEST_DEVICE", "cpu")


def has_cuda():
    return DEVICE.startswith("cuda")


class Foreign:
    """An array of a library that nobody has heard of."""

    def __init__(self, array):
        self.array, self.exports = array, 0

    def __dlpack__(self, **options):
        self.exports += 1
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def problem(shape=(10, 12), coils=3, readouts=(20, 21), seed=3):
    """An image, maps, positions, and E as a matrix, by docs/conventions.md."""
    random = np.random.default_rng(seed)
    image = random.normal(size=shape) + 1j * random.normal(size=shape)
    maps = random.normal(size=(coils, *shape)) + 1j * random.normal(size=(coils, *shape))
    sizes = np.array(shape[::-1])
    k = random.uniform(-0.5, 0.5, size=(*readouts, len(shape))) * sizes
    axes = [(np.arange(n) - n // 2) / n for n in shape]
    positions = np.stack([p.ravel() for p in np.meshgrid(*axes, indexing="ij")][::-1])  # x, y, z
    sums = np.exp(-2j * np.pi * (k.reshape(-1, len(shape)) @ positions))
    return image, maps, k, sums


def distance(a, b):
    return np.linalg.norm(np.asarray(a) - b) / np.linalg.norm(b)


class Sums(unittest.TestCase):
    def test_agree_with_direct_sums(self):
        for shape, readouts in (((10, 12), (20, 21)), ((5, 6, 7), (400,)), ((13,), (3, 9))):
            image, _, k, sums = problem(shape, readouts=readouts)
            for double, tolerance in ((False, 1e-5), (True, 1e-9)):
                nufft = Nufft(k, shape[::-1], device=DEVICE, double=double, tol=1e-6 if not double else 1e-10)
                self.assertEqual((nufft.domain, nufft.codomain), (shape, readouts))
                samples = nufft.forward(image)
                self.assertEqual((samples.shape, samples.dtype), (readouts, nufft.dtype))
                self.assertLess(distance(samples.ravel(), sums @ image.ravel()), tolerance)
                self.assertLess(distance(nufft.adjoint(samples).ravel(), sums.conj().T @ (sums @ image.ravel())), tolerance)

    def test_units_of_positions(self):
        image, maps, k, _ = problem()
        expected = Nufft(k, (12, 10), device=DEVICE).forward(image)
        for unit, positions in (("cycles/FOV", k), ("cycles/voxel", k / [12, 10]), ("rad/voxel", 2 * np.pi * k / [12, 10])):
            with self.subTest(unit):
                found = Nufft(positions, (12, 10), trajectory_unit=unit, device=DEVICE).forward(image)
                self.assertLess(distance(found, expected), 1e-6)
                for kind in (Encoding, Toeplitz):
                    operator = kind(positions, (12, 10), coil_maps=maps, trajectory_unit=unit, device=DEVICE)
                    self.assertLess(distance(operator.normal(image), kind(k, (12, 10), coil_maps=maps, device=DEVICE).normal(image)), 1e-5)
        with self.assertRaisesRegex(ValueError, "trajectory_unit is 'rad', expected one of cycles/FOV"):
            Nufft(k, (12, 10), trajectory_unit="rad", device=DEVICE)

    def test_positions_that_are_of_another_unit_are_warned_of(self):
        k = np.random.default_rng(1).uniform(-np.pi, np.pi, (50, 2))
        for kind in (Nufft, Encoding, Toeplitz):
            with self.assertWarnsRegex(recon.ReconWarning, "reaches to 3.1.*32 cycles/FOV.*trajectory_unit=") as told:
                kind(k, 64, device=DEVICE)
            self.assertEqual(told.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            Nufft(k, 64, trajectory_unit="cycles/FOV", device=DEVICE)
            Nufft(k, 16, device=DEVICE)
            Nufft(k * [10, 0], (64, 1), device=DEVICE)
            Nufft(k * 0, 64, device=DEVICE)

    def test_all_that_is_public_says_what_it_does(self):
        for kind in (Nufft, Encoding, Toeplitz):
            for name in ("forward", "adjoint", "normal", "device"):
                self.assertTrue(getattr(kind, name).__doc__, f"{kind.__name__}.{name}")

    def test_the_package_lists_them(self):
        names = {}
        exec("from recon import *", names)
        for name in ("Nufft", "Encoding", "Toeplitz", "operators"):
            self.assertIn(name, names)
            self.assertIn(name, dir(recon))

    def test_are_described(self):
        _, maps, k, _ = problem()
        self.assertEqual(repr(Nufft(k, (12, 10), device="cpu")), "<Nufft (10, 12) -> (20, 21), complex64 on cpu>")
        self.assertEqual(repr(Encoding(k, (12, 10), coil_maps=maps, double=True, device="cpu")),
                         "<Encoding (10, 12) -> (3, 20, 21), complex128 on cpu>")
        self.assertEqual(repr(Toeplitz(k, (12, 10), device="cpu")), "<Toeplitz (10, 12) -> (10, 12), complex64 on cpu>")

    def test_batches_are_images_one_by_one(self):
        image, maps, k, _ = problem()
        nufft = Nufft(k, (12, 10), device=DEVICE)
        together = nufft.forward(maps)
        self.assertEqual(together.shape, (3, 20, 21))
        for one, coil in zip(together, maps):
            np.testing.assert_array_equal(one, nufft.forward(coil))
        self.assertEqual(nufft.adjoint(together).shape, maps.shape)

    def test_scipy(self):
        try:
            from scipy.sparse.linalg import lsqr
        except ImportError:
            self.skipTest("no SciPy")
        image, _, k, _ = problem()
        nufft = Nufft(k, (12, 10), device=DEVICE, double=True, tol=1e-10)
        found = lsqr(as_scipy(nufft), nufft.forward(image).ravel(), atol=1e-12, btol=1e-12, iter_lim=500)[0]
        self.assertLess(distance(found, image.ravel()), 1e-6)


class EncodingTest(unittest.TestCase):
    def test_is_the_matrix(self):
        image, maps, k, sums = problem()
        weights = np.random.default_rng(1).uniform(0, 2, k.shape[:2])
        matrix = np.concatenate([np.sqrt(weights).ravel()[:, None] * sums * m.ravel() for m in maps])
        for toeplitz in (True, False):
            encoding = Encoding(k, (12, 10), coil_maps=maps, weights=weights, toeplitz=toeplitz, device=DEVICE)
            kspace = encoding.forward(image)
            self.assertEqual((kspace.shape, encoding.codomain), ((3, 20, 21), (3, 20, 21)))
            self.assertLess(distance(kspace.ravel(), matrix @ image.ravel()), 1e-5)
            self.assertLess(distance(encoding.adjoint(kspace).ravel(), matrix.conj().T @ (matrix @ image.ravel())), 1e-5)
            self.assertLess(distance(encoding.normal(image).ravel(), matrix.conj().T @ (matrix @ image.ravel())), 1e-5)

    def test_extents_of_1_in_coil_maps(self):
        image, maps, k, _ = problem()
        expected = Encoding(k, (12, 10), coil_maps=maps, device=DEVICE).forward(image)
        np.testing.assert_array_equal(Encoding(k, (12, 10), coil_maps=maps[:, None], device=DEVICE).forward(image), expected)

    def test_solve_is_least_squares(self):
        image, maps, k, sums = problem()
        random = np.random.default_rng(1)
        weights = random.uniform(0.5, 2, k.shape[:2])
        rows = np.concatenate([sums * m.ravel() for m in maps])
        noise = random.normal(size=len(rows)) + 1j * random.normal(size=len(rows))
        kspace = rows @ image.ravel() + 3 * noise
        root = np.tile(np.sqrt(weights).ravel(), 3)
        for lambda_ in (0, 0.3):
            extra = np.sqrt(lambda_ * weights.sum()) * np.eye(image.size)
            expected = np.linalg.lstsq(np.concatenate([root[:, None] * rows, extra]),
                                       np.concatenate([root * kspace, np.zeros(image.size)]), rcond=None)[0]
            encoding = Encoding(k, (12, 10), coil_maps=maps, weights=weights, double=True, tol=1e-10, device=DEVICE)
            solution = encoding.solve(kspace.reshape(3, 20, 21), iterations=300, stop=1e-12, lambda_=lambda_)
            self.assertLess(distance(solution.image.ravel(), expected), 1e-8)
            self.assertEqual(solution.stopped_by, "residual")
            self.assertEqual(len(solution.residuals), solution.iterations)

    def test_toeplitz_is_the_normal_operator(self):
        image, maps, k, sums = problem()
        encoding, toeplitz = (kind(k, (12, 10), coil_maps=maps, device=DEVICE) for kind in (Encoding, Toeplitz))
        self.assertEqual((toeplitz.domain, toeplitz.codomain), (image.shape, image.shape))
        matrix = np.concatenate([sums * m.ravel() for m in maps])
        normal = matrix.conj().T @ matrix
        self.assertLess(distance(toeplitz.forward(image).ravel(), normal @ image.ravel()), 1e-5)
        self.assertLess(distance(toeplitz.normal(image).ravel(), normal @ normal @ image.ravel()), 1e-5)
        np.testing.assert_array_equal(toeplitz.adjoint(image), encoding.normal(image))

    def test_solvers_of_others(self):
        """Least squares by SciPy and by SigPy, which are the matrix's."""
        image, maps, k, sums = problem()
        arguments = dict(coil_maps=maps, device=DEVICE, double=True, tol=1e-9)
        encoding, toeplitz = Encoding(k, (12, 10), **arguments), Toeplitz(k, (12, 10), **arguments)
        kspace = encoding.forward(image)
        with self.subTest("scipy"):
            try:
                from scipy.sparse.linalg import cg, lsqr
            except ImportError as missing:
                self.skipTest(str(missing))
            found, failed = cg(as_scipy(toeplitz), encoding.adjoint(kspace).ravel(), rtol=1e-10)
            self.assertFalse(failed)
            self.assertLess(distance(found.reshape(image.shape), image), 1e-6)
            found = lsqr(as_scipy(encoding), kspace.ravel(), atol=1e-12, btol=1e-12)[0]
            self.assertLess(distance(found.reshape(image.shape), image), 1e-6)
        with self.subTest("sigpy"):
            try:
                from sigpy.app import LinearLeastSquares
            except ImportError as missing:
                self.skipTest(str(missing))
            linear = as_sigpy(encoding)
            self.assertLess(distance(linear.N(image), encoding.normal(image)), 1e-12)
            self.assertLess(distance(linear.H(kspace), encoding.adjoint(kspace)), 1e-12)
            found = LinearLeastSquares(linear, kspace, max_iter=200, tol=1e-14, show_pbar=False).run()
            self.assertLess(distance(found, image), 1e-6)

    def test_control_c_ends_a_solution(self):
        code = ("import signal, sys; sys.path[:0] = %r\n"
                "signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background ignores\n"
                "import numpy as np; from recon.operators import Encoding\n"
                "k = np.random.default_rng(1).uniform(-60, 60, (20000, 2)); E = Encoding(k, 128, device=%r); print('on', flush=True)\n"
                "try:\n    E.solve(np.random.default_rng(1).normal(size=(1, 20000)), iterations=10**9, stop=0)\n"
                "except KeyboardInterrupt:\n    sys.exit(42)\n" % (sys.path, DEVICE))
        process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "on\n", "of the first lines")
        time.sleep(1)
        self.assertIsNone(process.poll(), "at work no more")
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 42)


class Arrays(unittest.TestCase):
    def setUp(self):
        self.image, self.maps, self.k, self.sums = problem()
        self.nufft = Nufft(self.k, (12, 10), device=DEVICE)
        self.expected = self.nufft.forward(self.image)

    def test_results_are_written_where_they_are_wanted(self):
        out = np.zeros((20, 21), np.complex64)
        self.assertIs(self.nufft.forward(self.image, out=out), out)
        for operator in (self.nufft, Encoding(self.k, (12, 10), device=DEVICE), Toeplitz(self.k, (12, 10), device=DEVICE)):
            image = np.zeros((10, 12), np.complex64)
            self.assertIs(operator.normal(self.image, out=image), image)
            np.testing.assert_array_equal(image, operator.normal(self.image))
        np.testing.assert_array_equal(out, self.expected)

    def test_results_outlive_operators(self):
        nufft = Nufft(self.k, (12, 10), device=DEVICE, threads=1)
        result = nufft.forward(self.image)
        before = result.copy()
        del nufft
        gc.collect()
        np.ones(100_000)  # memory that was given back would be used
        np.testing.assert_array_equal(result, before)

    def test_anything_that_exports(self):
        given = Foreign(self.image.astype(np.complex64))
        result = self.nufft.forward(given)
        self.assertEqual(given.exports, 1)
        self.assertEqual(result.__dlpack_device__()[0], 1)
        np.testing.assert_array_equal(np.from_dlpack(result), self.expected)
        readonly = self.image.astype(np.complex64)
        readonly.flags.writeable = False
        np.testing.assert_array_equal(self.nufft.forward(readonly), self.expected)

    def test_what_does_not_fit_is_told(self):
        for given, words in ((Foreign(self.image), "complex64"), (Foreign(self.image.astype(np.complex64).T), "12, 10"),
                             (Foreign(np.ones((10, 24), np.complex64)[:, ::2]), "contiguous")):
            with self.assertRaisesRegex(ValueError, words):
                self.nufft.forward(given)
        with self.assertRaisesRegex(ValueError, "20, 20"):
            self.nufft.adjoint(np.ones((20, 20)))
        with self.assertRaisesRegex(ValueError, "samples"):
            self.nufft.forward(self.image, out=np.zeros((20, 20), np.complex64))
        frozen = np.zeros((20, 21), np.complex64)
        frozen.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "out is read-only"):
            self.nufft.forward(self.image, out=frozen)
        with self.assertRaisesRegex(ValueError, "holds no numbers"):
            self.nufft.forward(np.ones((0, 10, 12)))
        with self.assertRaisesRegex(ValueError, "2 numbers"):
            Nufft(self.k, (12, 10, 3))
        with self.assertRaisesRegex(ValueError, "weights"):
            Encoding(self.k, (12, 10), weights=np.ones(7), device=DEVICE)
        with self.assertRaisesRegex(ValueError, "coil maps"):
            Encoding(self.k, (12, 10), coil_maps=np.ones((2, 12, 10)), device=DEVICE)
        with self.assertRaisesRegex(ValueError, "weights are .21, 20., expected .20, 21."):
            Encoding(self.k, (12, 10), weights=np.ones((21, 20)), device=DEVICE)
        for numbers in (self.k.astype(complex), "k"):
            with self.assertRaisesRegex(ValueError, "expected real numbers"):
                Nufft(numbers, (12, 10), device=DEVICE)
        with self.assertRaisesRegex(ValueError, "^Encoding: the coil maps are .3, 12, 10., expected .3, 10, 12."):
            Encoding(self.k, (12, 10), coil_maps=self.maps.transpose(0, 2, 1), device=DEVICE)
        with self.assertRaisesRegex(ValueError, "^Nufft.adjoint: the samples are .20, 20., expected .20, 21."):
            self.nufft.adjoint(np.ones((20, 20)))
        for bad in (np.nan, np.inf, complex(0, -np.inf)):
            maps = self.maps.copy()
            maps[1, 2, 3] = bad
            for kind in (Encoding, Toeplitz):
                with self.assertRaisesRegex(ValueError, "^Encoding: the coil maps hold values that are not finite"):
                    kind(self.k, (12, 10), coil_maps=maps, device=DEVICE)
        Encoding(self.k, (12, 10), coil_maps=self.maps * 1e25, device=DEVICE)  # large, yet numbers
        for matrix in (12.5, (12, 0), -1, (), (12, np.nan), "12", True, (12, None), [[12, 10]]):
            with self.assertRaisesRegex(ValueError, "whole numbers of voxels"):
                Nufft(self.k, matrix, device=DEVICE)
        with self.assertRaisesRegex((ValueError, RuntimeError), "tpu"):
            Nufft(self.k, (12, 10), device="tpu")

    def test_results_do_not_overlap_what_is_given(self):
        image = np.ones((10, 12), np.complex64)
        for toeplitz in (True, False):
            encoding = Encoding(self.k, (12, 10), toeplitz=toeplitz, device=DEVICE)
            with self.assertRaisesRegex(ValueError, "^Encoding.normal: the image and out must not overlap"):
                encoding.normal(image, out=image)
            both = np.ones((11, 12), np.complex64)
            with self.assertRaisesRegex(ValueError, "must not overlap"):
                encoding.normal(both[1:], out=both[:10])
        side_by_side = np.ones((20, 12), np.complex64)
        expected = encoding.normal(image)
        np.testing.assert_array_equal(encoding.normal(side_by_side[:10], out=side_by_side[10:]), expected)

    def test_operators_are_copied_and_pickled(self):
        weights = np.random.default_rng(1).uniform(0.5, 2, (20, 21))
        options = dict(coil_maps=self.maps, weights=weights, device=DEVICE, threads=1)
        operators = [Nufft(self.k, (12, 10), tol=1e-4, device=DEVICE, threads=1), Encoding(self.k, (12, 10), double=True, **options),
                     Encoding(self.k, (12, 10), toeplitz=False, **options), Encoding(self.k, (12, 10), device=DEVICE, threads=1),
                     Toeplitz(self.k, (12, 10), **options)]
        weights[:] = self.maps[:] = self.k[:] = 0  # which operators do not see
        for operator in operators:
            expected, back = operator.forward(self.image), operator.adjoint(operator.forward(self.image))
            for twin in (copy.copy(operator), copy.deepcopy(operator), pickle.loads(pickle.dumps(operator))):
                self.assertIs(type(twin), type(operator))
                self.assertEqual((twin.domain, twin.codomain, twin.dtype, twin.device),
                                 (operator.domain, operator.codomain, operator.dtype, operator.device))
                np.testing.assert_array_equal(twin.forward(self.image), expected)
                np.testing.assert_array_equal(twin.adjoint(expected), back)
                np.testing.assert_array_equal(twin.normal(self.image), operator.normal(self.image))
                if isinstance(operator, Encoding):
                    kspace = operator.forward(self.image)
                    np.testing.assert_array_equal(twin.solve(kspace, iterations=3).image, operator.solve(kspace, iterations=3).image)

    def test_numbers_are_told_by_name(self):
        for wrong, expected in ((dict(threads=1.5), "a whole number"), (dict(threads="2"), "a whole number"), (dict(tol="a"), "a number"),
                                (dict(tol=None), "a number")):
            (name, value), = wrong.items()
            for kind in (Nufft, Encoding, Toeplitz):
                with self.assertRaisesRegex(ValueError, f"^{name} is {value!r}, expected {expected}$"):
                    kind(self.k, (12, 10), device=DEVICE, **wrong)
        encoding = Encoding(self.k, (12, 10), device=DEVICE)
        for wrong in (dict(iterations=2.5), dict(stop="a"), dict(lambda_=[1])):
            with self.assertRaisesRegex(ValueError, f"^{[*wrong][0]} is .*, expected a"):
                encoding.solve(encoding.forward(self.image), **wrong)

    def test_types_are_told(self):
        encoding = Encoding(self.k, (12, 10), device=DEVICE)
        with self.assertRaisesRegex(ValueError, "^Encoding.forward: the image is complex128, expected complex64"):
            encoding.forward(Foreign(self.image))
        with self.assertRaisesRegex(ValueError, "^Nufft.adjoint: the samples are float32, expected complex64"):
            self.nufft.adjoint(Foreign(np.ones((20, 21), np.float32)))
        if torch:
            with self.assertRaisesRegex(ValueError, "^Encoding.normal: the image is bfloat16, expected complex64"):
                encoding.normal(torch.ones(10, 12, dtype=torch.bfloat16))
            with self.assertRaisesRegex(ValueError, "^trajectory is bfloat16.20, 21, 2., expected float32 or float64"):
                Nufft(torch.from_numpy(self.k).to(torch.bfloat16), (12, 10), device=DEVICE)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # experimental
                maps = torch.from_numpy(self.maps).to(torch.complex32)
            with self.assertRaisesRegex(ValueError, "^Encoding: the coil maps are complex32, expected complex64"):
                Encoding(self.k, (12, 10), coil_maps=maps, device=DEVICE)

    @unittest.skipIf(has_cuda() or not sys.platform.startswith("linux"), "the limit is on the host's memory")
    def test_images_that_memory_does_not_hold(self):
        for kind in (Nufft, Encoding, Toeplitz):
            with self.assertRaisesRegex(MemoryError, "^matrix is .1000000, 1000000., .* voxels"):
                kind(self.k, (10**6, 10**6), device=DEVICE)
        code = ("import resource, sys; sys.path[:0] = %r\n"
                "import numpy as np; from recon.operators import Encoding, Nufft\n"
                "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
                "for kind in Encoding, Nufft:\n"
                "    try:\n        kind(np.zeros((7, 2)), 300000, device='cpu', threads=1)\n"
                "    except MemoryError as error:\n        print(error)\n" % sys.path)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        told = "{} of [300000, 300000] voxels and 7 samples: this machine's memory is not enough\n"
        self.assertEqual((done.stdout, done.stderr), (told.format("Encoding") + told.format("Nufft"), ""))

    def test_matrix_is_whole_numbers(self):
        for matrix in ((12.0, 10.0), np.array([12.0, 10.0]), (np.int16(12), np.float32(10)), Foreign(np.array([12, 10]))):
            np.testing.assert_array_equal(Nufft(self.k, matrix, device=DEVICE).forward(self.image), self.expected)
        self.assertEqual(Nufft(self.k, 12.0, device=DEVICE).domain, (12, 12))

    def test_devices_of_other_libraries(self):
        class Device:
            def __str__(self):
                return DEVICE

        for device in [Device()] + ([torch.device(DEVICE)] if torch else []):
            for kind in (Nufft, Encoding, Toeplitz):
                self.assertEqual(kind(self.k, (12, 10), device=device).device, self.nufft.device)
        with self.assertRaisesRegex(ValueError, "`device` 0: expected auto"):
            Nufft(self.k, (12, 10), device=0)

    def test_masked_numbers_are_refused_by_name(self):
        def masked(array):
            return np.ma.masked_array(array, mask=np.arange(array.size).reshape(array.shape) == 3)

        np.testing.assert_array_equal(self.nufft.forward(np.ma.masked_array(self.image, mask=False)), self.expected)
        kspace, weights = np.ones((1, 20, 21)), np.ones((20, 21))
        encoding = Encoding(self.k, (12, 10), device=DEVICE)
        for name, call in (("image", lambda: self.nufft.forward(masked(self.image))), ("samples", lambda: self.nufft.adjoint(masked(weights))),
                           ("image", lambda: encoding.normal(masked(self.image))), ("kspace", lambda: encoding.adjoint(masked(kspace))),
                           ("kspace", lambda: encoding.solve(masked(kspace))),
                           ("out", lambda: self.nufft.forward(self.image, out=masked(weights.astype(np.complex64)))),
                           ("trajectory", lambda: Nufft(masked(self.k), (12, 10), device=DEVICE)),
                           ("weights", lambda: Encoding(self.k, (12, 10), weights=masked(weights), device=DEVICE)),
                           ("coil_maps", lambda: Toeplitz(self.k, (12, 10), coil_maps=masked(self.maps), device=DEVICE))):
            with self.assertRaisesRegex(ValueError, f"^{name}: 1 of .* values are masked"):
                call()

    def test_a_library_of_cuda_that_is_broken_is_no_matter_where_none_is_needed(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder + "/nvidia/cufft/lib")
            with open(folder + "/nvidia/cufft/lib/libcufft.so.99", "w") as file:
                file.write("half of a download")
            code = ("import numpy as np; from recon._program import cuda_folders; from recon.operators import Nufft;"
                    "assert any('cufft' in folder for folder in cuda_folders()), cuda_folders();"
                    "print(Nufft(np.zeros((1, 2)), 8, device='auto').forward(np.ones((8, 8))))")
            path = os.pathsep.join([folder, *sys.path])
            done = subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("64", done.stdout)

    def test_threads_of_python_compute_alike(self):
        results = []
        encoding = Encoding(self.k, (12, 10), device=DEVICE, threads=1)
        threads = [threading.Thread(target=lambda: results.append(encoding.normal(self.image))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for result in results:
            np.testing.assert_array_equal(result, encoding.normal(self.image))

    @unittest.skipIf(has_cuda() or not hasattr(os, "fork"), "a GPU is not for forked processes")
    def test_forked_processes_compute(self):
        image = np.ones((96, 96))
        k = np.random.default_rng(1).uniform(-48, 48, (20000, 2))
        encoding = Encoding(k, 96, device=DEVICE, threads=2)
        expected = encoding.normal(image)  # by threads that the fork will leave behind
        child = os.fork()
        if child == 0:
            same = distance(encoding.normal(image), expected) < 1e-6
            new = distance(Encoding(k, 96, device=DEVICE, threads=2).normal(image), expected) < 1e-6
            os._exit(0 if same and new else 1)
        self.addCleanup(lambda: child and os.kill(child, signal.SIGKILL))
        for _ in range(300):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                child = 0
                self.assertEqual(status, 0)
                return
            time.sleep(0.1)
        self.fail("a forked process waits for ever")

    @unittest.skipIf(torch is None, "no PyTorch")
    def test_torch_on_the_host(self):
        result = self.nufft.forward(torch.from_numpy(self.image.astype(np.complex64)))
        self.assertIsInstance(result, torch.Tensor)
        np.testing.assert_array_equal(result.numpy(), self.expected)

    @unittest.skipIf(torch is None, "no PyTorch")
    def test_conjugates_of_torch_are_the_numbers_that_they_stand_for(self):
        image = torch.from_numpy(self.image.conj().astype(np.complex64)).conj()  # not computed, marked
        np.testing.assert_array_equal(self.nufft.forward(image).numpy(), self.expected)
        encoding = Encoding(self.k, (12, 10), coil_maps=torch.from_numpy(self.maps.conj().astype(np.complex64)).conj(), device=DEVICE)
        matrix = np.concatenate([self.sums * m.ravel() for m in self.maps])
        self.assertLess(distance(encoding.forward(self.image).ravel(), matrix @ self.image.ravel()), 1e-5)
        with self.assertRaisesRegex(ValueError, "conjugate"):
            self.nufft.forward(image, out=torch.empty(20, 21, dtype=torch.complex64).conj())

    @unittest.skipIf(torch is None, "no PyTorch")
    def test_gradients_of_torch_go_through_the_adjoint(self):
        image, maps, k, _ = problem((3, 4), 2, (5, 4))
        options = dict(double=True, tol=1e-12, device=DEVICE, threads=1)  # thousands of products of a few numbers
        encoding = Encoding(k, (4, 3), coil_maps=maps, **options)
        nufft = Nufft(k, (4, 3), **options)
        kspace = torch.from_numpy(encoding.forward(image))
        for function, given in ((encoding.forward, torch.from_numpy(image)), (encoding.normal, torch.from_numpy(image)),
                                (encoding.adjoint, kspace), (nufft.forward, torch.from_numpy(maps)), (nufft.adjoint, kspace)):
            given = given.clone().requires_grad_()
            self.assertTrue(torch.autograd.gradcheck(function, given))
            self.assertTrue(torch.autograd.gradgradcheck(function, given))
            with torch.no_grad():
                self.assertFalse(function(given).requires_grad)
            with self.assertRaisesRegex(ValueError, "detach"):
                function(given, out=torch.empty(1))
        with self.assertRaisesRegex(ValueError, "detach"):
            encoding.solve(kspace.requires_grad_())

    @unittest.skipIf(torch is None or not has_cuda(), "no PyTorch with a GPU")
    def test_torch_on_the_gpu_without_copies(self):
        image = torch.from_numpy(self.image.astype(np.complex64)).cuda()
        for _ in range(20):  # results that are dropped while kernels of PyTorch still read them
            result = self.nufft.forward(image) * 2
        self.assertTrue(result.is_cuda)
        self.assertLess(distance(result.cpu().numpy(), 2 * self.expected), 1e-6)
        out = torch.empty(20, 21, dtype=torch.complex64, device="cuda")
        address = out.data_ptr()
        self.nufft.forward(image, out=out)
        self.assertEqual(out.data_ptr(), address)
        self.assertLess(distance(out.cpu().numpy(), self.expected), 1e-6)
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):  # what another queue computes is waited for
            busy = torch.randn(4000, 4000, device="cuda")
            for _ in range(10):
                busy = busy @ busy / 4000
            late = image + 0 * busy[0, 0]
            self.assertLess(distance(self.nufft.forward(late).cpu().numpy(), self.expected), 1e-6)

    @unittest.skipIf(torch is None or not has_cuda(), "no PyTorch with a GPU")
    def test_solve_stays_on_the_gpu(self):
        maps = torch.from_numpy(self.maps.astype(np.complex64)).cuda()
        encoding = Encoding(self.k, (12, 10), coil_maps=maps, device=DEVICE)
        kspace = encoding.forward(torch.from_numpy(self.image.astype(np.complex64)).cuda())
        image = encoding.solve(kspace, iterations=200, stop=1e-7).image
        self.assertTrue(kspace.is_cuda and image.is_cuda)
        self.assertLess(distance(image.cpu().numpy(), self.image), 1e-4)

    @unittest.skipIf(cupy is None or not has_cuda(), "no CuPy with a GPU")
    def test_cupy_on_the_gpu(self):
        result = self.nufft.forward(cupy.asarray(self.image.astype(np.complex64)))
        self.assertIsInstance(result, cupy.ndarray)
        self.assertLess(distance(result.get(), self.expected), 1e-6)
        with self.assertRaisesRegex(ValueError, "another device"):
            Nufft(self.k, (12, 10), device="cpu").forward(cupy.asarray(self.image.astype(np.complex64)))


if __name__ == "__main__":
    unittest.main()
