"""Streams of MRD by the package ismrmrd: python3 test_mrd_stream.py, with RECON_PROGRAM; exit code 77 without it."""

import io
import os
import subprocess
import sys
import tempfile
import unittest

try:
    import ismrmrd
    import numpy as np
    from ismrmrd.serialization import ProtocolDeserializer, ProtocolSerializer
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PLAIN = ["--prior", "none", "--iterations", "8", "--no-check", "--device", "cpu", "--no-cache", "--quiet"]


def recon(*arguments, stdin=b""):
    done = subprocess.run([os.environ["RECON_PROGRAM"], *arguments], input=stdin, capture_output=True)
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    return done.stdout


class MrdStream(unittest.TestCase):
    def test_a_stream_of_the_package_gives_the_image_of_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            scan, image = f"{folder}/scan.h5", f"{folder}/image.npy"
            recon("simulate", "--quiet", "--matrix", "20", "18", "--coils", "3", "--no-coil-maps", "--format", "mrd", "--out", scan)
            recon("--scan", scan, "--out", image, *PLAIN)
            by_file = np.load(image)
            stream = io.BytesIO()
            dataset = ismrmrd.Dataset(scan, "dataset", create_if_needed=False)
            with ProtocolSerializer(stream) as serializer:
                serializer.serialize("a text that goes first")
                serializer.serialize(ismrmrd.xsd.CreateFromDocument(dataset.read_xml_header()))
                for i in range(dataset.number_of_acquisitions()):
                    serializer.serialize(dataset.read_acquisition(i))
            dataset.close()
            answer = recon("--scan", "-", "--out", "-", *PLAIN, stdin=stream.getvalue())
        messages = list(ProtocolDeserializer(io.BytesIO(answer)).deserialize())
        self.assertEqual(len(messages), 1)
        self.assertIsInstance(messages[0], ismrmrd.Image)
        np.testing.assert_array_equal(messages[0].data.reshape(by_file.shape), by_file)
        self.assertEqual(messages[0].data.dtype, np.complex64)
        self.assertAlmostEqual(messages[0].field_of_view[0], 220)

    def test_a_simulated_stream_is_read_by_the_package(self):
        with tempfile.TemporaryDirectory() as folder:
            scan = f"{folder}/scan.mrdstream"
            recon("simulate", "--quiet", "--matrix", "12", "12", "--coils", "2", "--no-coil-maps", "--noise-samples", "64",
                  "--format", "mrdstream", "--out", scan)
            messages = list(ProtocolDeserializer(scan).deserialize())
        self.assertIsInstance(messages[0], ismrmrd.xsd.ismrmrdHeader)
        acquisitions = messages[1:]
        self.assertTrue(acquisitions[0].is_flag_set(ismrmrd.ACQ_IS_NOISE_MEASUREMENT))
        self.assertTrue(all(a.data.shape[0] == 2 for a in acquisitions))
        self.assertTrue(all(a.traj.shape[1] == 3 for a in acquisitions[1:]))


if __name__ == "__main__":
    unittest.main()
