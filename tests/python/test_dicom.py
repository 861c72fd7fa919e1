"""DICOM by pydicom: python3 test_dicom.py, with RECON_PROGRAM; exit code 77 without it, or where recon was built without DCMTK."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
    import pydicom
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PROGRAM = os.environ["RECON_PROGRAM"]
if "--dicom" not in subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout:
    print("skipped: recon was built without DCMTK")
    sys.exit(77)


def recon(*arguments):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


class Dicom(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.scan = self.folder.name + "/scan.h5"

    def reconstruct(self, *matrix, orientation=None, simulate=()):
        recon("simulate", "--quiet", "--matrix", *map(str, matrix), "--fov", "200", "--out", self.scan, *simulate)
        if orientation is not None:
            with h5py.File(self.scan, "r+") as file:
                file.pop("orientation", None)
                file["orientation"] = orientation
        recon("--scan", self.scan, "--out", self.folder.name + "/image.h5", "--dicom", self.folder.name + "/image.dcm", "--prior",
              "none", "--iterations", "5", "--no-check", "--device", "cpu", "--no-cache", "--quiet")
        with h5py.File(self.folder.name + "/image.h5") as file:
            image = np.abs(file["image"][()])
            attributes = dict(file["image"].attrs)
        return pydicom.dcmread(self.folder.name + "/image.dcm"), image, attributes

    def test_values_and_places(self):
        turn = np.deg2rad(30)
        x = [np.cos(turn), np.sin(turn), 0]
        y = [0, 0, -1]
        z = np.cross(x, y)
        data, image, attributes = self.reconstruct(16, 14, 10, orientation=[[10, -20, 30], x, y, z])
        self.assertEqual(data.SOPClassUID, "1.2.840.10008.5.1.4.1.1.4.1")
        self.assertEqual((data.NumberOfFrames, data.Rows, data.Columns), (10, 14, 16))
        shared = data.SharedFunctionalGroupsSequence[0]
        slope = float(shared.PixelValueTransformationSequence[0].RescaleSlope)
        np.testing.assert_allclose(data.pixel_array * slope, image, atol=0.51 * slope, rtol=1e-6)
        rows, columns = map(float, shared.PixelMeasuresSequence[0].PixelSpacing)
        np.testing.assert_allclose([columns, rows], attributes["voxel_size_mm"][:2], rtol=1e-6)
        voxel = attributes["voxel_size_mm"]
        for i, frame in enumerate(data.PerFrameFunctionalGroupsSequence):
            directions = np.array(frame.PlaneOrientationSequence[0].ImageOrientationPatient, float)
            np.testing.assert_allclose(directions[:3], x, atol=1e-6)
            np.testing.assert_allclose(directions[3:], y, atol=1e-6)
            position = np.array(frame.PlanePositionSequence[0].ImagePositionPatient, float)
            expected = (np.array([10, -20, 30]) - 8 * voxel[0] * np.array(x) - 7 * voxel[1] * np.array(y)
                        + (i - 5) * voxel[2] * np.array(z))
            np.testing.assert_allclose(position, expected, atol=1e-4)

    @unittest.skipUnless(shutil.which("dciodvfy"), "no dciodvfy (Debian: dicom3tools)")
    def test_the_standard_finds_nothing_missing(self):
        for frames in ((), ("--frames", "2")):
            self.reconstruct(8, 7, 6, orientation=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], simulate=frames)
            found = subprocess.run(["dciodvfy", self.folder.name + "/image.dcm"], capture_output=True, text=True).stderr
            # Of original images alone, which ours is not; dciodvfy asks it of all.
            errors = [line for line in found.splitlines() if line.startswith("Error") and "ApplicableSafetyStandardAgency" not in line]
            self.assertIn("EnhancedMRImage", found)
            self.assertEqual(errors, [])

    def test_gaps_and_studies(self):
        """Slices of 3 mm, 5 mm apart; two images of one scan are one study, of one frame of reference."""
        recon("simulate", "--quiet", "--matrix", "16", "16", "--coils", "1", "--fov", "200", "--frames", "3", "--out", self.scan)
        with h5py.File(self.scan, "r+") as file:
            for name in ("frame_labels", "orientation", "field_of_view_mm"):
                file.pop(name, None)
                file.attrs.pop(name, None)
            file["field_of_view_mm"] = [200.0, 200.0, 3.0]
            file["frame_labels"] = [[0, 0, 0, i, 0] for i in range(3)]
            file["frame_orientation"] = [[[0, 0, 5 * i], [1, 0, 0], [0, 1, 0], [0, 0, 1]] for i in range(3)]
        images = []
        for iterations in ("3", "4"):
            recon("--scan", self.scan, "--out", self.folder.name + "/image.dcm", "--prior", "none", "--iterations", iterations,
                  "--no-check", "--device", "cpu", "--no-cache", "--quiet")
            images.append(pydicom.dcmread(self.folder.name + "/image.dcm"))
        measures = images[0].SharedFunctionalGroupsSequence[0].PixelMeasuresSequence[0]
        self.assertEqual((float(measures.SliceThickness), float(measures.SpacingBetweenSlices)), (3, 5))
        self.assertEqual(images[0].StudyInstanceUID, images[1].StudyInstanceUID)
        self.assertEqual(images[0].FrameOfReferenceUID, images[1].FrameOfReferenceUID)
        self.assertNotEqual(images[0].SeriesInstanceUID, images[1].SeriesInstanceUID)
        self.assertNotEqual(images[0].StudyInstanceUID, images[0].FrameOfReferenceUID)

    def test_the_same_image_gives_the_same_bytes(self):
        self.reconstruct(12, 12)
        with open(self.folder.name + "/image.dcm", "rb") as file:
            first = file.read()
        self.reconstruct(12, 12)
        with open(self.folder.name + "/image.dcm", "rb") as file:
            self.assertEqual(file.read(), first)


if __name__ == "__main__":
    unittest.main()
