"""Images of scanners in DICOM, written by pydicom and read as references: python3 test_dicom_read.py, with RECON_PROGRAM; exit code 77
without the packages, or where recon was built without DCMTK. SimpleITK, if it is there, reads the same files."""

import os
import random
import subprocess
import sys
import tempfile
import unittest

try:
    import h5py
    import numpy as np
    import pydicom
    from pydicom.dataset import FileDataset, FileMetaDataset
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PROGRAM = os.environ["RECON_PROGRAM"]
if "--dicom" not in subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout:
    print("skipped: recon was built without DCMTK")
    sys.exit(77)

COLUMNS, ROWS, SLICES = 12, 10, 7
SPACING_MM, DISTANCE_MM = (3.0, 2.0), 4.0  # between rows, between columns; between slices


def run(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def recon(*arguments):
    done = run(*arguments)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout + done.stderr


class Scanner(unittest.TestCase):
    """A series of slices, oblique, one file each, as scanners send them."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.series = self.path("series")
        os.mkdir(self.series)
        directions, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
        self.x, self.y = directions[0], directions[1]
        self.z = np.cross(self.x, self.y)
        self.first_mm = np.array([10.0, -20.0, 30.0])
        self.stored = np.random.default_rng(2).integers(0, 4000, (SLICES, ROWS, COLUMNS)).astype(np.uint16)

    def path(self, name):
        return os.path.join(self.folder, name)

    def slice(self, z, series=1, syntax=pydicom.uid.ExplicitVRLittleEndian, **changes):
        meta = FileMetaDataset()
        meta.MediaStorageSOPClassUID = pydicom.uid.MRImageStorage
        meta.MediaStorageSOPInstanceUID = pydicom.uid.generate_uid()
        meta.TransferSyntaxUID = syntax
        data = FileDataset(None, {}, file_meta=meta, preamble=b"\0" * 128)
        data.SOPClassUID, data.SOPInstanceUID = meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID
        data.StudyInstanceUID, data.SeriesInstanceUID = "1.2.3", f"1.2.3.{series}"
        data.Modality, data.SeriesNumber, data.InstanceNumber = "MR", series, z + 1
        data.SeriesDescription = f"t1 of series {series}"
        data.Rows, data.Columns, data.SamplesPerPixel, data.PhotometricInterpretation = ROWS, COLUMNS, 1, "MONOCHROME2"
        data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 12, 11, 0
        data.RescaleSlope, data.RescaleIntercept = "0.5", "-100"
        data.ImageOrientationPatient = [f"{v:.9f}" for v in (*self.x, *self.y)]
        data.ImagePositionPatient = [f"{v:.9f}" for v in self.first_mm + z * DISTANCE_MM * self.z]
        data.PixelSpacing, data.SliceThickness = list(SPACING_MM), 3
        data.PixelData = self.stored[z % SLICES].tobytes()
        for name, value in changes.items():
            setattr(data, name, value)
        return data

    def write(self, data, name=None, folder=None):
        random.seed(len(os.listdir(folder or self.series)))
        path = os.path.join(folder or self.series, name or f"IM{random.randrange(10**9):09}")
        data.save_as(path, enforce_file_format=True)
        return path

    def read(self, path):
        """The image as `recon compare` has it: by comparing with itself in HDF5, and by what info says of its place."""
        return recon("info", path)

    def image_file(self, values):
        """The same voxels where the scanner put them, in recon's own file."""
        path = self.path("expected.h5")
        nz, ny, nx = values.shape
        middle = (self.first_mm + nx // 2 * SPACING_MM[1] * self.x + ny // 2 * SPACING_MM[0] * self.y + nz // 2 * DISTANCE_MM * self.z)
        with h5py.File(path, "w") as file:
            file.attrs["format"], file.attrs["version"] = "recon-image", 1
            file["image"] = values.astype(np.complex64)
            attributes = file["image"].attrs
            attributes["voxel_size_mm"] = [SPACING_MM[1], SPACING_MM[0], DISTANCE_MM]
            attributes["field_of_view_mm"] = [nx * SPACING_MM[1], ny * SPACING_MM[0], nz * DISTANCE_MM]
            attributes["coordinate_system"] = "LPS"
            attributes["centre_mm"] = middle
            attributes["x_direction"], attributes["y_direction"], attributes["z_direction"] = self.x, self.y, self.z
        return path

    def values(self):
        return self.stored * 0.5 - 100

    def assert_same(self, dicom, expected):
        """@param expected  [z, y, x]: voxel by voxel where the file puts them"""
        json = self.path("same.json")
        said = recon("compare", dicom, self.image_file(expected), "--json", json)
        import json as reader
        with open(json) as file:
            figures = reader.load(file)
        nrmse = figures["frames"][0]["nrmse"] if "frames" in figures else figures["nrmse"]
        self.assertLess(nrmse, 1e-6, said)

    def test_a_folder_of_slices_is_the_volume_in_its_place(self):
        for z in random.Random(3).sample(range(SLICES), SLICES):
            self.write(self.slice(z))
        with open(os.path.join(self.series, "README"), "w") as file:
            file.write("not of the series")
        text = self.read(self.series)
        self.assertIn(f"image of {COLUMNS} x {ROWS} x {SLICES} voxels", text)
        self.assertIn("2 x 3 x 4 mm", text)
        self.assert_same(self.series, self.values())

    def test_the_same_place_as_itk(self):
        try:
            import SimpleITK
        except ImportError as missing:
            self.skipTest(str(missing))
        for z in range(SLICES):
            self.write(self.slice(z), f"{z}.dcm")
        names = SimpleITK.ImageSeriesReader.GetGDCMSeriesFileNames(self.series)
        theirs = SimpleITK.ReadImage(names)
        SimpleITK.WriteImage(theirs, self.path("itk.nii"))
        said = recon("compare", self.series, self.path("itk.nii"))
        self.assertRegex(said, r"(?m)^ +0 +[0-9.e-]+ %")
        self.assertLess(float(said.split("\n    0")[1].split("%")[0]), 1e-4)

    def test_a_second_pass_over_the_slices_is_a_second_volume(self):
        for z in range(2 * SLICES):
            data = self.slice(z % SLICES, InstanceNumber=z + 1)
            self.write(data)
        self.assertRegex(self.read(self.series), r"volumes +2")

    def test_of_several_series_one_is_named(self):
        for series in (4, 11):
            for z in range(3):
                self.write(self.slice(z, series))
        done = run("info", self.series)
        self.assertEqual(done.returncode, 3)
        for part in ("2 series", "/4 (t1 of series 4, 3 files)", "/11 (t1 of series 11, 3 files)"):
            self.assertIn(part, done.stderr)
        self.assertIn(f"{COLUMNS}, y {ROWS}, z 3", recon("compare", self.series + ":/4", self.series + ":/11"))
        self.assertIn(f"series:/11: image of {COLUMNS} x {ROWS} x 3 voxels", recon("info", self.series + ":/11"))
        self.assertIn("no DICOM images of series /5", run("compare", self.series + ":/5", self.series + ":/11").stderr)

    def test_signed_numbers_of_8_to_32_bits(self):
        expected = np.arange(-60, 60).reshape(1, ROWS, COLUMNS)
        for bits, kind in ((8, np.int8), (16, np.int16), (32, np.int32)):
            with self.subTest(bits=bits):
                data = self.slice(0, BitsAllocated=bits, BitsStored=bits, HighBit=bits - 1, PixelRepresentation=1,
                                  PixelData=expected.astype(kind).tobytes())
                self.assert_same(self.write(data, f"{bits}.dcm", self.folder), expected * 0.5 - 100)

    def test_what_cannot_be_read_is_told(self):
        good = self.write(self.slice(0), "good.dcm", self.folder)
        with open(good, "rb") as file:
            contents = file.read()
        for name, data, words in (("colours", self.slice(0, SamplesPerPixel=3), "3 values of 16 bits a pixel"),
                                  ("mosaic", self.slice(0, ImageType=["ORIGINAL", "PRIMARY", "M", "MOSAIC"]), "dcm2niix"),
                                  ("short", self.slice(0, PixelData=b"\0" * 40), "40 bytes of pixels, expected 240"),
                                  ("endless", self.slice(0, Rows=65535, Columns=65535, NumberOfFrames=2**31 - 1), "truncated or damaged"),
                                  ("flat", self.slice(0, Rows=0), "expected 1 or more"),
                                  ("bits", self.slice(0, HighBit=3), "damaged")):
            with self.subTest(name):
                done = run("info", self.write(data, name + ".dcm", self.folder))
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(words, done.stderr)
        with self.subTest("compressed"):
            data = self.slice(0, syntax=pydicom.uid.JPEG2000Lossless)
            data.PixelData = pydicom.encaps.encapsulate([b"\0" * 64])
            data["PixelData"].is_undefined_length = True
            done = run("info", self.write(data, "jpeg.dcm", self.folder))
            self.assertEqual(done.returncode, 3, done.stderr)
            self.assertIn("compressed", done.stderr)
        with self.subTest("damaged in many ways"):
            damage, codes = random.Random(1), set()
            for _ in range(60):
                bad = bytearray(contents)
                for _ in range(damage.randint(1, 4)):
                    bad[damage.randrange(132, len(bad))] = damage.choice((0, 255, damage.randrange(256)))
                if damage.random() < 0.3:
                    del bad[damage.randrange(132, len(bad)):]
                with open(self.path("bad.dcm"), "wb") as file:
                    file.write(bad)
                codes.add(run("info", self.path("bad.dcm")).returncode)
            self.assertLessEqual(codes, {0, 3})
            self.assertIn(3, codes)

    def test_what_we_write_is_read_as_it_was(self):
        recon("simulate", "--quiet", "--matrix", 12, 10, 8, "--coils", 1, "--out", self.path("scan.h5"))
        with h5py.File(self.path("scan.h5"), "r+") as file:
            file.pop("orientation", None)
            file["orientation"] = np.array([[5, 6, 7], self.x, self.y, self.z])
        recon("--scan", self.path("scan.h5"), "--out", self.path("image.h5"), "--dicom", self.path("image.dcm"), "--prior", "none",
              "--iterations", 3, "--no-check", "--device", "cpu", "--no-cache", "--quiet")
        said = recon("compare", self.path("image.dcm"), self.path("image.h5"))
        self.assertLess(float(said.split("\n    0")[1].split("%")[0]), 0.01)
        ours, theirs = (recon("info", self.path(name)) for name in ("image.h5", "image.dcm"))
        place = [line for line in ours.splitlines() if "orientation" in line]
        self.assertEqual(place, [line for line in theirs.splitlines() if "orientation" in line])
        done = recon("--scan", self.path("scan.h5"), "--out", self.path("again.h5"), "--reference", self.path("image.dcm"), "--prior-image",
                     self.path("image.dcm"), "--prior", "anatomical", "--lambda", "1e-3", "--device", "cpu", "--no-cache", "--iterations", 3)
        self.assertIn("against the reference", done)


if __name__ == "__main__":
    unittest.main()
