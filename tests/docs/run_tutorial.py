#!/usr/bin/env python3
"""Runs a page as its reader would: run_tutorial.py RECON PAGE

Blocks marked sh are run by bash, blocks marked python by Python, one after the other in one temporary folder, with the program
RECON in the PATH; each must end with 0. A block marked text holds lines that the block before it must have printed, in that
order, whatever the numbers in them. Comments above a block:

    <!-- needs: bart, python nibabel -->     skipped, and said so, where there is no program bart or Python has no nibabel
    <!-- not run: why -->                    never run

`run_tutorial.py RECON --have "bart"` ends with 0 if that need is met, else with 77. RECON_PYTHONPATH is where Python finds recon
(default: app/python, which is without the compiled operators).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pages import ROOT, blocks

SKIPPED = 77
PYTHONPATH = os.environ.get("RECON_PYTHONPATH", str(ROOT / "app" / "python"))
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def has(need, recon):
    """Whether what `need` names is here: a program, `python MODULE`, `recon --OPTION`, or a part of recon itself."""
    kind, _, name = need.partition(" ")
    if kind == "python":
        ours = os.environ | {"PYTHONPATH": PYTHONPATH}
        return subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True, env=ours).returncode == 0
    if kind == "recon":
        return name in subprocess.run([recon, "--help"], capture_output=True, text=True).stdout.split()
    if need == "sbatch":  # without its cluster it is of no use
        return bool(shutil.which(need)) and subprocess.run(["sinfo"], capture_output=True).returncode == 0
    places = (recon.parent, recon.parent.parent / "lib" / "recon")
    return bool(shutil.which(need)) or any((place / need).exists() for place in places)


def environment(recon, folder):
    """Of a reader with RECON in the PATH; Open MPI is let start as root, and more processes than there are cores."""
    return os.environ | {"PATH": f"{recon.parent}:{os.environ['PATH']}", "RECON_PROGRAM": str(recon),
                         "PYTHONPATH": PYTHONPATH, "XDG_CACHE_HOME": str(folder / ".cache"),
                         "OMP_WAIT_POLICY": "passive", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                         "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def words(line):
    """What a line says besides its numbers."""
    return " ".join(NUMBER.sub("#", line).split())


def missing_lines(expected, printed):
    """Lines of `expected` that do not follow in `printed`."""
    rest = [words(line) for line in printed.splitlines()]
    missing = []
    for line in filter(str.strip, expected.splitlines()):
        places = [place for place, said in enumerate(rest) if words(line) in said]
        if places:
            rest = rest[places[0] + 1:]
        else:
            missing.append(line)
    return missing


def run_page(recon, page):
    """The number of blocks that failed, were run, and were skipped."""
    failed, ran, skipped, printed = 0, 0, 0, None
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="recon-docs-") as name:
        folder = Path(name)
        variables = environment(recon, folder)
        for block in blocks(page):
            where = f"{page.name}:{block.line}"
            if block.language == "text" and printed is not None:
                missing = missing_lines(block.text, printed)
                failed += bool(missing)
                print("".join(f"{where}: FAILED: not printed: {line}\n" for line in missing), end="")
            if block.language not in ("sh", "python"):
                continue
            kind, text = block.comment or ("", "")
            absent = [need for need in text.split(", ") if kind == "needs" and not has(need, recon)]
            if kind == "not run" or absent:
                print(f"{where}: skipped: {text if kind == 'not run' else 'there is no ' + ', '.join(absent)}")
                printed, skipped = None, skipped + 1
                continue
            command = ["bash", "-euo", "pipefail", "-c", block.text] if block.language == "sh" else [sys.executable, "-c", block.text]
            start = time.monotonic()
            run = subprocess.run(command, cwd=folder, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                 stdin=subprocess.DEVNULL, timeout=600)
            printed, ran = run.stdout, ran + 1
            print(f"{where}: {'done' if run.returncode == 0 else 'FAILED'}, {time.monotonic() - start:.1f} s")
            if run.returncode != 0:
                failed += 1
                print(f"exit code {run.returncode} of\n{block.text}\n{run.stdout}")
            elif "--show" in sys.argv:
                print(run.stdout)
    print(f"{page.name}: {ran} blocks run in {time.monotonic() - begin:.0f} s, {skipped} skipped, {failed} findings")
    return failed, ran, skipped


def main():
    recon = Path(sys.argv[1]).resolve()
    if sys.argv[2] == "--have":
        there = has(sys.argv[3], recon)
        print(f"{sys.argv[3]}: {'there' if there else 'not there; blocks of tutorials that need it are skipped'}")
        return 0 if there else SKIPPED
    failed, ran, skipped = run_page(recon, Path(sys.argv[2]).resolve())
    if failed or not ran + skipped:
        return 1
    return 0 if ran else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
