"""Options of the command line as Python gives them, and arrays that cannot be: python3 test_options.py, with RECON_PROGRAM; exit code 77 without NumPy."""

import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "app", "python"))
import recon  # noqa: E402
from recon import _program  # noqa: E402
from simulated import PLAIN, problem  # noqa: E402


def reconstruct(**options):
    _, maps, k, kspace = problem()
    return recon.reconstruct(kspace, k, **{"matrix": (12, 10), "coil_maps": maps[:, None], "iterations": 3, **PLAIN, **options})


class Options(unittest.TestCase):
    def test_unknown_names_are_refused_whatever_their_value(self):
        for value in (False, None, True, 3, np.zeros((2, 2))):
            with self.assertRaisesRegex(recon.ReconError, "^not expected: --iteratons; did you mean --iterations?") as refused:
                reconstruct(iteratons=value)
            self.assertEqual(refused.exception.code, 2)
        with self.assertRaisesRegex(ValueError, "^scan is made of kspace and trajectory; leave it out"):
            reconstruct(scan="x.h5")

    def test_flags_are_on_or_off(self):
        for off in (dict(no_accuracy_check=True), dict(accuracy_check=False), {"no-accuracy-check": np.bool_(True)}):
            self.assertNotIn("measured_accuracy", reconstruct(**off).record, off)
        for on in (dict(no_accuracy_check=False), dict(accuracy_check=True), dict(accuracy_check=None), dict(no_accuracy_check=np.array(False))):
            self.assertIn("measured_accuracy", reconstruct(**on).record, on)
        with self.assertRaisesRegex(ValueError, "^baseline is 'yes', expected True or False$"):
            reconstruct(baseline="yes")

    def test_values_are_no_flags(self):
        with self.assertRaisesRegex(recon.ReconError, "^--iterations: a value is missing behind it"):
            reconstruct(iterations=True)
        self.assertIn("g-factor", reconstruct(g_factor=True).log)  # which has one of its own

    def test_names_of_files(self):
        with tempfile.TemporaryDirectory() as name:
            odd = os.fsencode(name) + b"/\xff.h5"
            for out in (os.fsencode(name) + b"/bytes.h5", odd, pathlib.Path(name) / "\u00fc.h5"):
                record = os.fsencode(out) + b".json"
                self.assertEqual(reconstruct(out=out, json=record).image.shape, (1, 10, 12))
                self.assertTrue(os.path.exists(out) and os.path.exists(record), out)
            with self.assertRaisesRegex(recon.ReconError, r"\\xff/image.h5: the folder .* does not exist"):
                reconstruct(out=os.fsencode(name) + b"/\xff/image.h5")
            here = os.getcwd()
            self.addCleanup(os.chdir, here)
            os.chdir(name)
            before = set(os.listdir(name))
            reconstruct(out=None, json=None)
            for option in ("json", "out", "npy"):
                with self.assertRaisesRegex(ValueError, f"^{option} is '-', .*expected the name of a file"):
                    reconstruct(**{option: "-"})
            self.assertEqual(set(os.listdir(name)), before)

    def test_the_program_is_asked_for_them_once(self):
        with unittest.mock.patch("subprocess.run", side_effect=AssertionError("asked again")):
            _program._options.cache_clear()
            with self.assertRaisesRegex(AssertionError, "asked again"):
                reconstruct()
        reconstruct()
        with unittest.mock.patch("subprocess.run", side_effect=AssertionError("asked again")):
            reconstruct()


class Arrays(unittest.TestCase):
    def test_that_are_none_are_told_by_name(self):
        _, _, k, kspace = problem()
        with self.assertRaisesRegex(ValueError, "^kspace: lists of unequal lengths"):
            recon.reconstruct([[1j, 2], [3]], k, matrix=12)
        with self.assertRaisesRegex(ValueError, "^matrix is '12', expected whole numbers"):
            recon.reconstruct(kspace, k, matrix="12")

    def test_too_large_for_single_precision(self):
        _, _, k, kspace = problem()
        kspace[1, 5] = 1e39
        with self.assertRaisesRegex(ValueError, "^kspace: 1 of 840 values are too large for single precision .*; scale the data"):
            recon.reconstruct(kspace, k, matrix=12)
        kspace[1, 5] = np.inf
        with self.assertRaisesRegex(recon.ReconError, "not finite"):
            recon.reconstruct(kspace, k, matrix=12)


if __name__ == "__main__":
    unittest.main()
