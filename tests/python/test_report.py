"""The page of a run in headless Chromium, light, dark and printed: python3 test_report.py, with RECON_PROGRAM; exit code 77 without
Chromium."""

import html.parser
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if BROWSER is None:
    print("skipped: no Chromium")
    sys.exit(77)

WIDTH, HEIGHT = 1200, 2400
LIGHT, DARK = 1, 0  # Chromium's numbers
SMALL = ["--device", "cpu", "--no-cache", "--quiet"]


def recon(*arguments, code=0):
    done = subprocess.run([os.environ["RECON_PROGRAM"], *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(done.stderr)


def browse(page, *options):
    """Opens the page; what its console says."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
                               f"--user-data-dir={profile}", f"--window-size={WIDTH},{HEIGHT}", *options, page.as_uri()],
                              capture_output=True, text=True, timeout=120)
    return [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def corner(png):
    """Width, height and the first pixel of a PNG, which no filter changes."""
    data = png.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + length] if kind == b"IDAT" else b""
        at += 12 + length
    return width, height, tuple(zlib.decompressobj().decompress(packed, 4)[1:4])


class Links(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.names, self.tags = [], set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        for name, value in attributes:
            if name in ("href", "src", "xlink:href"):
                self.targets.append(value)
            elif name == "id":
                self.names.add(value)


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "page.html"

    def look(self, least_bytes):
        links = Links(self.page.read_text(encoding="utf-8"))
        self.assertFalse(links.tags & {"script", "link", "iframe"})
        for target in links.targets:
            self.assertTrue(target.startswith("data:") or target[1:] in links.names and target[0] == "#", target[:80])
        for scheme, is_ground in ((LIGHT, lambda c: min(c) > 240), (DARK, lambda c: max(c) < 60)):
            picture = self.folder / "page.png"
            said = browse(self.page, f"--blink-settings=preferredColorScheme={scheme}", f"--screenshot={picture}")
            self.assertEqual(said, [])
            width, height, ground = corner(picture)
            self.assertEqual((width, height), (WIDTH, HEIGHT))
            self.assertTrue(is_ground(ground), ground)
            self.assertGreater(picture.stat().st_size, least_bytes, "hardly anything is on it")
        paper = self.folder / "page.pdf"
        self.assertEqual(browse(self.page, f"--print-to-pdf={paper}"), [])
        self.assertTrue(paper.read_bytes().startswith(b"%PDF"))

    def test_of_a_volume_with_its_truth(self):
        scan, truth = self.folder / "scan.h5", self.folder / "truth.h5"
        recon("simulate", "--quiet", "--matrix", 24, "--coils", 4, "--off-resonance", 40, "--out", scan, "--truth", truth)
        recon("--scan", scan, "--out", self.folder / "image.h5", "--reference", truth, "--baseline", "--g-factor", 3, "--field-map",
              "off_resonance_hz", "--report", self.page, *SMALL)
        self.look(100_000)

    def test_of_a_series(self):
        scan = self.folder / "scan.h5"
        recon("simulate", "--quiet", "--matrix", 32, 32, "--coils", 2, "--frames", 3, "--out", scan)
        recon("--scan", scan, "--out", self.folder / "image.h5", "--report", self.page, *SMALL)
        self.look(50_000)

    def test_of_a_run_that_failed(self):
        scan = self.folder / "scan.h5"
        recon("simulate", "--quiet", "--matrix", 16, 16, "--coils", 1, "--out", scan)
        recon("--scan", scan, "--out", self.folder / "image.h5", "--memory-limit", "10k", "--report", self.page, *SMALL, code=4)
        self.look(20_000)


if __name__ == "__main__":
    unittest.main()
