"""What the package has where it is without operators: python3 test_package.py; exit code 77 without NumPy."""

import os
import sys
import unittest
from importlib import import_module
from importlib.util import find_spec

if not find_spec("numpy"):
    print("skipped: no NumPy")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "app", "python"))
import recon  # noqa: E402


class WithoutOperators(unittest.TestCase):
    def test_says_so_where_they_are_wanted(self):
        self.assertFalse(hasattr(recon, "Nufft"))
        with self.assertRaisesRegex(AttributeError, "^recon.Nufft: this installation of recon is without operators"):
            recon.Nufft
        with self.assertRaisesRegex(AttributeError, "^module 'recon' has no attribute 'nufft'"):
            recon.nufft
        with self.assertRaisesRegex(ImportError, "without operators"):
            import_module("recon.operators")

    def test_lists_what_there_is(self):
        names = {}
        exec("from recon import *", names)
        for listed in (names, dir(recon)):
            self.assertIn("reconstruct", listed)
            self.assertNotIn("Nufft", listed)


if __name__ == "__main__":
    unittest.main()
