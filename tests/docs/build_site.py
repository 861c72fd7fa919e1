#!/usr/bin/env python3
"""Builds the site with --strict: every link, anchor and page of the navigation holds. Exit code 77 without MkDocs."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from pages import ROOT

try:
    import latex2mathml  # noqa: F401
    import material  # noqa: F401
    import mkdocs  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}; pip install -r docs/requirements.txt")
    sys.exit(77)


def main():
    with tempfile.TemporaryDirectory(prefix="recon-site-") as folder:
        build = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "-f", ROOT / "docs/site/mkdocs.yml", "-d", folder],
                               env=os.environ | {"NO_MKDOCS_2_WARNING": "1"})
        if build.returncode != 0:
            return 1
        first = Path(folder, "index.html").read_text()
        pictures = re.findall(r'<img[^>]* src="([^"]+)"', first)
        lost = [picture for picture in pictures if not Path(folder, picture).exists()]
        formulas = sum(page.read_text().count("<math") for page in Path(folder).rglob("*.html"))
        undrawn = [page.name for page in Path(folder).rglob("*.html") if 'class="arithmatex"' in page.read_text()]
        cited = sum(page.read_text().count("references.html#") for page in Path(folder).rglob("*.html"))
        print(f"{len(pictures)} pictures on the first page, {formulas} formulas, {cited} citations")
        print("".join(f"no picture {picture}\n" for picture in lost) + "".join(f"{page}: a formula is not drawn\n" for page in undrawn), end="")
        fetched = [address for address in re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="(https?://[^"]+)"', first)]
        print("".join(f"fetched from elsewhere: {address}\n" for address in fetched), end="")
        return 1 if lost or undrawn or fetched or len(pictures) < 3 or "<math" in first or not formulas or not cited else 0


if __name__ == "__main__":
    sys.exit(main())
