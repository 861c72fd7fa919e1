"""The program `recon`: where it is, what it takes, and starting it."""

from __future__ import annotations

import functools
import glob
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from ._errors import ReconError


def program() -> str:
    """What RECON_PROGRAM names, else the program of this installation, else that in the PATH. Raises ReconError where there is none."""
    named, own = os.environ.get("RECON_PROGRAM"), Path(__file__).parent / "bin" / "recon"
    found = shutil.which(named or (own if own.exists() else "recon"))
    if found is None and named:
        raise ReconError(f"RECON_PROGRAM names {named}, where there is no program; set it to where recon is", 127)
    if found is None:
        raise ReconError("recon was installed without its program, which is not in the PATH either; set RECON_PROGRAM to where it is", 127)
    return os.fspath(found)


def cuda_folders() -> list[str]:
    """Where PyPI's packages of NVIDIA have put CUDA's libraries."""
    spec = importlib.util.find_spec("nvidia")
    places = spec.submodule_search_locations if spec else None
    return [folder for place in places or () for folder in sorted(glob.glob(os.path.join(place, "*", "lib")))]


def environment() -> dict[str, str]:
    """This process's, in which the program finds these libraries as well."""
    folders = [*filter(None, [os.environ.get("LD_LIBRARY_PATH")]), *cuda_folders()]
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(folders)} if folders else dict(os.environ)


def failure(path: str, code: int, log: str) -> ReconError:
    """The error of a program that ended with this code, negative for a signal, and said this."""
    if code < 0:
        return ReconError(f"the program was ended by {signal.Signals(-code).name}"
                          f"{', as the kernel does where memory runs out' if code == -signal.SIGKILL else ''}", code)
    message = next((line for line in reversed(log.splitlines()) if "error: " in line), log.strip())
    message = message or f"{path} ended with exit code {code}, without a word"
    return ReconError(message.split("error: ", 1)[-1], code)


def options(path: str) -> dict[str, bool]:
    """Names of the program's options, with _ for -, and whether they take a value. Raises ReconError where it is another program."""
    return _options(path, os.stat(path).st_mtime_ns)


@functools.lru_cache(maxsize=8)
def _options(path: str, _changed: int) -> dict[str, bool]:
    try:
        manual = subprocess.run([path, "manual", "fish"], capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8",
                                errors="backslashreplace", env=environment())
    except OSError as error:
        raise ReconError(f"{path} cannot be started: {error.strerror}; set RECON_PROGRAM to where recon is", 126) from error
    if manual.returncode != 0:
        raise failure(path, manual.returncode, manual.stderr)
    names = {}
    for line in manual.stdout.splitlines():
        words = line.partition(" -d '")[0].split()  # complete -c recon -n 'not ...' -l iterations -r
        if words[4:5] == ["'not"]:  # options of no subcommand
            names.update({name.replace("-", "_"): "-r" in words for before, name in zip(words, words[1:]) if before == "-l"})
    if not names:
        raise ReconError(f"{path} lists no options, expected the program recon; set RECON_PROGRAM to where it is", 126)
    return names


def main() -> None:
    try:
        path = program()
    except ReconError as error:
        sys.exit(f"recon: {error}")
    os.execve(path, ["recon", *sys.argv[1:]], environment())
