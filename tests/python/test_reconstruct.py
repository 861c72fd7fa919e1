"""Against sums in double precision: python3 test_reconstruct.py, with RECON_PROGRAM; exit code 77 without NumPy."""

import concurrent.futures
import copy
import json
import multiprocessing
import os
import pathlib
import pickle
import sys
import tempfile
import unittest

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "app", "python"))
import recon  # noqa: E402
from simulated import PLAIN, problem  # noqa: E402

try:
    import torch
except ImportError:
    torch = None


class Foreign:
    """An array of a library that nobody has heard of."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OfTheGpu:
    """What stands in for a tensor on a GPU: it comes to the host by `cpu`."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        raise BufferError("not on the host")

    def __dlpack_device__(self):
        return 2, 0

    def cpu(self):
        return Foreign(self.array)


class OfJax(OfTheGpu):
    """What stands in for an array of JAX on a GPU: it has no method of its own for the host, but NumPy's."""

    cpu = property()  # raises AttributeError

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.array, dtype)


class OnDisk:
    """What stands in for a dataset of h5py: NumPy reads it, and that is all."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __len__(self):
        return len(self.array)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.array, dtype)


def refuse(code):
    raise recon.ReconError("scan.h5: no such file", code)


class OfBfloat16(Foreign):
    """What stands in for a tensor of a type that NumPy lacks."""

    dtype = "torch.bfloat16"

    @property
    def shape(self):
        return self.array.shape

    def __dlpack__(self, **options):
        raise RuntimeError("Unsupported dtype in DLTensor.")  # NumPy's words


class Reconstruct(unittest.TestCase):
    plain = PLAIN

    def test_gives_the_image_that_the_data_were_made_of(self):
        image, maps, k, kspace = problem()
        result = recon.reconstruct(kspace, k, matrix=(12, 10), coil_maps=maps[:, None], iterations=200, stop=1e-7, **self.plain)
        self.assertEqual(result.image.shape, (1, 10, 12))
        self.assertEqual(result.image.dtype, np.complex64)
        self.assertLess(np.linalg.norm(result.image[0] - image) / np.linalg.norm(image), 1e-4)
        self.assertEqual(result.record["options"]["iterations"], 200)
        self.assertLess(result.record["data_residual"], 1e-4)

    def test_readouts_and_one_coil(self):
        image, maps, k, kspace = problem(coils=1)
        result = recon.reconstruct(kspace.reshape(1, 20, 21), k.reshape(20, 21, 2), matrix=[12, 10], coil_maps=maps[:, None],
                                   baseline=True, **self.plain)
        self.assertTrue(result.record["options"]["baseline"])
        self.assertEqual(result.image.shape, (1, 10, 12))

    def test_arrays_of_other_libraries(self):
        image, maps, k, kspace = problem()
        options = dict(matrix=(12, 10), iterations=5, **self.plain)
        expected = recon.reconstruct(kspace, k, coil_maps=maps[:, None], **options).image
        for other in (Foreign, OfTheGpu, OfJax):
            result = recon.reconstruct(other(kspace), other(k), coil_maps=other(maps[:, None]), **options)
            np.testing.assert_array_equal(result.image, expected)

    def test_options_as_python_writes_them(self):
        _, maps, k, kspace = problem()
        options = dict(matrix=np.array([12, 10]), iterations=np.int64(5), coil_maps=maps[:, None], **{**self.plain, "prior": None})
        plain = recon.reconstruct(kspace, k, lambda_=0, **options)
        damped = recon.reconstruct(kspace, k, lambda_=0.5, baseline=np.bool_(False), no_accuracy_check=np.bool_(True), **options)
        self.assertLess(np.linalg.norm(damped.image), 0.9 * np.linalg.norm(plain.image))
        self.assertFalse(damped.record["options"]["baseline"])

    def test_any_type_of_numbers(self):
        _, maps, k, kspace = problem()
        k = k.astype(np.float16)
        options = dict(matrix=(12, 10), iterations=np.array(5), **self.plain)
        arrays = dict(coil_maps=maps[:, None].astype(np.complex64), density_weights=np.ones(420), noise_covariance=np.eye(2))
        expected = recon.reconstruct(kspace.astype(np.complex64), k, **arrays, **options).image
        swapped = dict(coil_maps=maps[:, None].astype(">c8"), density_weights=np.ones(420, np.float16), noise_covariance=np.eye(2).tolist())
        result = recon.reconstruct(kspace.astype(">c8"), k.astype(">f4"), **swapped, **options).image
        np.testing.assert_array_equal(result, expected)
        as_lists = recon.reconstruct(kspace.tolist(), k.tolist(), **{**arrays, "coil_maps": maps[:, None].tolist()}, **options).image
        np.testing.assert_allclose(as_lists, expected, rtol=1e-3, atol=1e-4)
        for wrong in (dict(density_weights=np.array(["1"] * 420)), dict(print_config=True)):
            with self.assertRaises(ValueError):
                recon.reconstruct(kspace, k, **wrong, **options)
        with self.assertRaises(ValueError):
            recon.reconstruct(np.array(1j), k, **options)

    def test_types_that_numpy_lacks_are_told(self):
        _, maps, k, kspace = problem()
        given = dict(kspace=kspace, trajectory=k, matrix=(12, 10), **self.plain)
        for name, array, words in (("kspace", kspace, "complex64 or complex128"), ("trajectory", k, "float32 or float64"),
                                   ("noise", kspace, "complex64 or complex128"), ("coil_maps", maps, "complex64 or complex128"),
                                   ("density_weights", np.ones(420), "float32 or float64")):
            with self.assertRaisesRegex(ValueError, f"^{name} (is|are) bfloat16.{array.shape[0]}.*expected .*{words}"):
                recon.reconstruct(**{**given, name: OfBfloat16(array)})
        if torch:
            with self.assertRaisesRegex(ValueError, "^trajectory is bfloat16.420, 2., expected float32 or float64"):
                recon.reconstruct(**{**given, "trajectory": torch.from_numpy(k).to(torch.bfloat16)})
            with self.assertRaisesRegex(ValueError, "^kspace is complex128.*detach"):
                recon.reconstruct(**{**given, "kspace": torch.from_numpy(kspace).requires_grad_()})

    def test_matrix_is_whole_numbers(self):
        _, maps, k, kspace = problem()
        options = dict(coil_maps=maps[:, None], iterations=3, **self.plain)
        expected = recon.reconstruct(kspace, k, matrix=(12, 10), **options).image
        for matrix in ((12.0, 10.0), np.array([12.0, 10.0]), (np.int16(12), np.float32(10)), Foreign(np.array([12, 10]))):
            np.testing.assert_array_equal(recon.reconstruct(kspace, k, matrix=matrix, **options).image, expected)
        for matrix in ([], 0, -1, True, (12.5, 10), (12, np.nan), (12, np.inf), "12", "12x10", [[12, 10]], [[12], [10, 1]], (12, None), 1j):
            with self.assertRaisesRegex(ValueError, "^matrix is .*, expected whole numbers of voxels, from 1 on"):
                recon.reconstruct(kspace, k, matrix=matrix, **options)
        with self.assertRaisesRegex(ValueError, "^fov is empty"):
            recon.reconstruct(kspace, k, matrix=12, fov=[], **self.plain)

    def test_masked_numbers_are_refused_by_name(self):
        _, maps, k, kspace = problem()
        options = dict(matrix=(12, 10), iterations=3, **self.plain)
        expected = recon.reconstruct(kspace, k, coil_maps=maps[:, None], **options).image
        unmasked = [np.ma.masked_array(array, mask=False) for array in (kspace, k, maps[:, None])]
        np.testing.assert_array_equal(recon.reconstruct(unmasked[0], unmasked[1], coil_maps=unmasked[2], **options).image, expected)

        def masked(array):
            return np.ma.masked_array(array, mask=np.arange(array.size).reshape(array.shape) == 3)

        arrays = dict(kspace=kspace, trajectory=k, coil_maps=maps[:, None], sample_times_s=np.zeros(420), density_weights=np.ones(420),
                      noise=np.ones((2, 9), complex), field_map=np.zeros((10, 12)), fov=np.array([240.0, 200, 1, 1]))
        for name, array in arrays.items():
            with self.assertRaisesRegex(ValueError, f"^{name}: 1 of {array.size} values are masked.*weight of 0"):
                recon.reconstruct(**{"kspace": kspace, "trajectory": k, **options, name: masked(array)})
        with self.assertRaisesRegex(ValueError, "^kspace: 1 of 420 values are masked"):
            recon.reconstruct([kspace[0], masked(kspace[1])], k, **options)

    def test_files_that_the_caller_names_are_written(self):
        _, maps, k, kspace = problem()
        options = dict(matrix=(12, 10), iterations=5, coil_maps=maps[:, None], **self.plain)
        expected = recon.reconstruct(kspace, k, **options).image
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for named in (dict(report=folder / "page.html"), dict(out=folder / "image.h5"), dict(npy=folder / "image.npy"),
                          dict(out=folder / "again.h5", json=folder / "run.json", report=folder / "again.html")):
                result = recon.reconstruct(kspace, k, **named, **options)
                np.testing.assert_array_equal(result.image, expected)
                self.assertEqual(result.record["options"]["iterations"], 5)
                for file in named.values():
                    self.assertGreater(file.stat().st_size, 0, file)

    def test_arrays_of_samples_go_along(self):
        image, maps, k, kspace = problem()
        times = np.linspace(0, 5e-3, 420)
        kspace = kspace * np.exp(-2j * np.pi * 30 * times)
        options = dict(matrix=(12, 10), coil_maps=maps[:, None], iterations=200, stop=1e-7, **self.plain)
        right = recon.reconstruct(kspace, k, sample_times_s=times, field_map=np.full((10, 12), 30.0), **options)
        self.assertLess(np.linalg.norm(right.image[0] - image) / np.linalg.norm(image), 1e-3)
        damaged = kspace / np.exp(-2j * np.pi * 30 * times) + 1e3 * (times < 2e-4)
        whole = recon.reconstruct(damaged, k, density_weights=np.where(times < 2e-4, 0, 1), weights="density", **options)
        self.assertLess(np.linalg.norm(whole.image[0] - image) / np.linalg.norm(image), 1e-3)
        noise = np.random.default_rng(1).normal(size=(2, 500)) + 0j
        self.assertIn("white", recon.reconstruct(kspace, k, noise=noise, **options).log)

    def test_values_of_one_readout_hold_for_all(self):
        _, maps, k, kspace = problem()
        times, weights = np.linspace(0, 5e-3, 21), np.linspace(1, 2, 21)
        options = dict(matrix=(12, 10), coil_maps=maps[:, None], iterations=10, weights="density", field_map=np.full((10, 12), 30.0),
                       **self.plain)
        expected = recon.reconstruct(kspace, k, sample_times_s=np.tile(times, 20), density_weights=np.tile(weights, 20), **options).image
        kspace, readouts = kspace.reshape(2, 20, 21), k.reshape(20, 21, 2)
        for positions in (k, readouts):
            for one in (lambda values: values, lambda values: values[None], lambda values: np.tile(values, (20, 1))):
                result = recon.reconstruct(kspace, positions, sample_times_s=one(times), density_weights=one(weights), **options)
                np.testing.assert_array_equal(result.image, expected)
        with self.assertRaisesRegex(recon.ReconError, "20 values of sample times"):
            recon.reconstruct(kspace, readouts, sample_times_s=times[1:], **options)
        series = recon.reconstruct(np.stack([kspace, 2 * kspace]), readouts, sample_times_s=times, density_weights=weights, **options)
        np.testing.assert_allclose(series.image[0], expected, rtol=1e-4, atol=1e-4)

    def test_frames_are_of_the_slices_that_their_labels_say(self):
        first, second = problem(seed=3), problem(seed=4)
        maps = np.stack([first[1], second[1]])[:, :, None]  # [slice, coil, z, y, x]
        kspace = np.stack([first[3], [phases @ (m * second[0]).ravel() for phases in [self.phases(first[2])] for m in second[1]]])
        labels = [[0, 0, 0, 0, 0], [0, 0, 0, 1, 0]]
        options = dict(matrix=(12, 10), iterations=200, stop=1e-7, **self.plain)
        for given in (maps, OnDisk(maps)):
            series = recon.reconstruct(kspace, first[2], coil_maps=given, frame_labels=labels, **options)
            for frame, (image, *_) in zip(series.image, (first, second)):
                self.assertLess(np.linalg.norm(frame[0] - image) / np.linalg.norm(image), 1e-3)
        for wrong in ([[0, 0, 0]], [[0, 0, 0, 0.5, 0]], 3):
            with self.assertRaisesRegex(ValueError, r"^frame_labels .*expected whole numbers \[frame, 5\]"):
                recon.reconstruct(kspace, first[2], coil_maps=maps, frame_labels=wrong, **options)

    @staticmethod
    def phases(k, shape=(10, 12)):
        ny, nx = shape
        y, x = np.meshgrid((np.arange(ny) - ny // 2) / ny, (np.arange(nx) - nx // 2) / nx, indexing="ij")
        return np.exp(-2j * np.pi * (k[:, 0, None] * x.ravel() + k[:, 1, None] * y.ravel()))

    def test_units_that_nobody_knows_are_refused(self):
        _, maps, k, kspace = problem()
        with self.assertRaisesRegex(recon.ReconError, "trajectory-unit furlongs: unknown") as refused:
            recon.reconstruct(kspace, k, matrix=(12, 10), coil_maps=maps[:, None], **{**self.plain, "trajectory_unit": "furlongs"})
        self.assertEqual(refused.exception.code, 2)

    def test_records_name_no_temporary_files(self):
        _, maps, k, kspace = problem()
        result = recon.reconstruct(kspace, k, matrix=(12, 10), coil_maps=maps[:, None], iterations=2, **self.plain)
        self.assertNotIn("recon-", json.dumps(result.record) + result.log)
        self.assertIn("--scan scan.npz", result.record["command"])

    def test_errors_name_arrays_and_no_temporary_files(self):
        _, _, k, kspace = problem()
        with self.assertRaises(recon.ReconError) as refused:
            recon.reconstruct(kspace[:, :-1], k, matrix=12, **self.plain)
        self.assertTrue(str(refused.exception).startswith("scan.npz, array kspace: is [2, 419]"), str(refused.exception))

    def test_errors_are_the_programs(self):
        _, _, k, kspace = problem()
        with self.assertRaises(recon.ReconError) as refused:
            recon.reconstruct(kspace[:, :-1], k, matrix=12, **self.plain)
        self.assertIn("420 samples", str(refused.exception))
        self.assertEqual(refused.exception.code, 3)
        with self.assertRaises(recon.ReconError) as unknown:
            recon.reconstruct(kspace, k, matrix=12, iteratons=3)
        self.assertIn("did you mean --iterations?", str(unknown.exception))
        for wrong in ((kspace.real, k), (kspace, k.astype(complex))):
            with self.assertRaises(ValueError):
                recon.reconstruct(*wrong, matrix=12)

    def test_errors_go_from_one_process_to_another(self):
        error = recon.ReconError("scan.h5: no such file", 3)
        for same in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            self.assertIs(type(same), recon.ReconError)
            self.assertEqual((str(same), same.code), ("scan.h5: no such file", 3))
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as others:
            with self.assertRaisesRegex(recon.ReconError, "no such file") as refused:
                others.submit(refuse, 3).result(timeout=60)
        self.assertEqual(refused.exception.code, 3)


if __name__ == "__main__":
    unittest.main()
