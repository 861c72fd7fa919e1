"""The program `recon`: where it is, and starting it."""

from __future__ import annotations

import glob
import importlib.util
import os
import shutil
import sys
from pathlib import Path


def path() -> str | None:
    """Named by RECON_PROGRAM, or of this installation, or in the PATH."""
    own = Path(__file__).parent / "bin" / "recon"
    return os.environ.get("RECON_PROGRAM") or (str(own) if own.exists() else shutil.which("recon"))


def cuda_folders() -> list[str]:
    """Where PyPI's packages of NVIDIA have put CUDA's libraries."""
    spec = importlib.util.find_spec("nvidia")
    places = spec.submodule_search_locations if spec else None
    return [folder for place in places or () for folder in sorted(glob.glob(os.path.join(place, "*", "lib")))]


def environment() -> dict[str, str]:
    """This process's, in which the program finds these libraries as well."""
    folders = [*filter(None, [os.environ.get("LD_LIBRARY_PATH")]), *cuda_folders()]
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(folders)} if folders else dict(os.environ)


def main() -> None:
    program = path()
    if program is None:
        sys.exit("recon: this installation is Python alone; put the program into the PATH, or name it in RECON_PROGRAM")
    os.execve(program, ["recon", *sys.argv[1:]], environment())
