"""The same voxel at the same place in the patient, by whoever reads our files: nibabel, SimpleITK (whose ITK 3D Slicer and ITK-SNAP read
with) and pydicom. python3 test_places.py, with RECON_PROGRAM; exit code 77 without the packages, or where recon was built without DCMTK."""

import os
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import nibabel
    import numpy as np
    import pydicom
    import SimpleITK
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PROGRAM = os.environ["RECON_PROGRAM"]
if "--dicom" not in subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout:
    print("skipped: recon was built without DCMTK")
    sys.exit(77)

MATRIX, FOV_MM = (16, 14, 10), (200, 180, 90)
CENTRE_MM = np.array([10.0, -20.0, 30.0])


def recon(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


def by_simpleitk(path):
    """{a place in mm, LPS: the value there}, of a file as ITK sees it."""
    image = SimpleITK.ReadImage(path)
    return lambda place: image.GetPixel(image.TransformPhysicalPointToIndex(place.tolist()))


def by_nibabel(path):
    image = nibabel.load(path)
    to_voxel, values = np.linalg.inv(image.affine), image.get_fdata()

    def value(place):
        index = to_voxel @ [-place[0], -place[1], place[2], 1]  # nibabel's places are RAS
        return values[tuple(np.rint(index[:3]).astype(int))]

    return value


def by_pydicom(path):
    data = pydicom.dcmread(path)
    shared = data.SharedFunctionalGroupsSequence[0]
    scale = shared.PixelValueTransformationSequence[0]
    rows_mm, columns_mm = map(float, shared.PixelMeasuresSequence[0].PixelSpacing)
    pixels = np.reshape(data.pixel_array, (-1, data.Rows, data.Columns)) * float(scale.RescaleSlope) + float(scale.RescaleIntercept)

    def value(place):
        for frame, values in zip(data.PerFrameFunctionalGroupsSequence, pixels):
            offset = place - np.array(frame.PlanePositionSequence[0].ImagePositionPatient, float)
            directions = np.array(frame.PlaneOrientationSequence[0].ImageOrientationPatient, float).reshape(2, 3)
            if abs(np.cross(*directions) @ offset) < 0.1:  # mm: in this plane
                column, row = np.rint(directions @ offset / [columns_mm, rows_mm]).astype(int)
                return values[row, column]
        raise AssertionError(f"no frame at {place}")

    return value


class Places(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def reconstruct(self, matrix, fov_mm, directions, *more):
        recon("simulate", "--quiet", "--matrix", *matrix, "--fov", *fov_mm, "--out", self.path("scan.h5"), *more)
        with h5py.File(self.path("scan.h5"), "r+") as file:
            file.pop("orientation", None)
            file["orientation"] = np.array([CENTRE_MM, *directions])
        recon("--scan", self.path("scan.h5"), "--out", self.path("image.h5"), "--nifti", self.path("image.nii.gz"), "--dicom",
              self.path("image.dcm"), "--prior", "none", "--iterations", 5, "--no-check", "--device", "cpu", "--no-cache", "--quiet")
        with h5py.File(self.path("image.h5")) as file:
            return np.abs(file["image"][()]), file["image"].attrs["voxel_size_mm"]

    def readers(self):
        nifti, dicom = self.path("image.nii.gz"), self.path("image.dcm")
        return {"nibabel": by_nibabel(nifti), "SimpleITK, NIfTI": by_simpleitk(nifti), "SimpleITK, DICOM": by_simpleitk(dicom),
                "pydicom": by_pydicom(dicom)}

    def check(self, matrix, fov_mm, directions):
        image, voxel_mm = self.reconstruct(matrix, fov_mm, directions)
        readers = self.readers()
        step = image.max() / 65535  # of DICOM's 16 bits
        for z, y, x in np.ndindex(image.shape):
            from_centre = (np.array([x, y, z]) - np.array(image.shape[::-1]) // 2) * voxel_mm
            place = CENTRE_MM + from_centre @ directions  # docs/output-formats.md
            for name, value in readers.items():
                self.assertAlmostEqual(value(place), image[z, y, x], delta=step, msg=f"{name}, voxel {x, y, z} at {place} mm")

    def test_of_an_oblique_volume_of_oblong_voxels(self):
        directions, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
        self.check(MATRIX, FOV_MM, directions * np.linalg.det(directions))

    def test_of_a_coronal_volume(self):
        self.check(MATRIX, FOV_MM, np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))

    def test_of_one_slice(self):
        turn = np.deg2rad(30)
        x, y = np.array([np.cos(turn), np.sin(turn), 0]), np.array([0, 0, -1.0])
        self.check(MATRIX[:2], FOV_MM[:2], np.array([x, y, np.cross(x, y)]))

    def test_a_series_is_a_fourth_axis_of_nifti(self):
        frames, _ = self.reconstruct((12, 10, 8), FOV_MM, np.eye(3), "--frames", 3)
        series = SimpleITK.ReadImage(self.path("image.nii.gz"))
        self.assertEqual(series.GetSize(), (12, 10, 8, 3))
        np.testing.assert_allclose(SimpleITK.GetArrayFromImage(series), frames, rtol=1e-5)


if __name__ == "__main__":
    unittest.main()
