"""recon over MPI ranks of this machine, for benchmarks. Needs Open MPI, and no packages."""
import json
import os
import pathlib
import subprocess
import sys
import time

from support.machine import machine

# On machines with fewer cores than ranks, too; whoever asks; and in containers, whose ranks may not read each other's memory.
MPIRUN = ["mpirun", "--oversubscribe", "--bind-to", "none", "--allow-run-as-root", "--mca", "btl_vader_single_copy_mechanism", "none", "-n"]
MIB = 1 << 20


def run(*command):
    """@return seconds of the whole command, and what it printed"""
    command = [str(word) for word in command]
    start = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}")
    return time.monotonic() - start, done.stdout


class Ranks:
    """Commands of one recon, on any number of ranks, in one folder."""

    def __init__(self, recon, folder):
        self.recon, self.folder = os.path.abspath(recon), pathlib.Path(folder)

    def run(self, ranks, *words):
        """@param ranks  1: the program by itself; or what is to stand in front of it. @return seconds of the whole command, and what it wrote by --json"""
        record = self.folder / "run.json"
        record.unlink(missing_ok=True)
        launcher = ranks if isinstance(ranks, list) else [*MPIRUN, ranks] if ranks > 1 else []
        seconds, _ = run(*launcher, self.recon, *words, "--json", record)
        return seconds, json.loads(record.read_text(encoding="utf-8"))

    def simulate(self, name, *words):
        scan = self.folder / name
        run(self.recon, "simulate", "--quiet", "--out", scan, *words)
        return scan

    def reconstruct(self, ranks, scan, image, *words):
        """With nothing in it that takes time for the sake of figures or is kept from run to run.
        @return seconds of the whole command, its record, and the records of all ranks"""
        seconds, record = self.run(ranks, "--scan", scan, "--out", image, "--device", "cpu", "--prior", "none", "--no-cache",
                                   "--no-accuracy-check", *words)
        return seconds, record, record.get("ranks", [record])


def most(of_ranks, name):
    return max(rank[name] for rank in of_ranks)


def report(rows, **facts):
    """Prints JSON for tests/benchmark/record when the last row is there; after Ctrl-C, those that are."""
    done = []
    try:
        for row in rows:
            done.append(row)
            print(row, file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted: the rows so far", file=sys.stderr)
    print(json.dumps({"device": machine(), **facts, "rows": done}, indent=1))
