"""Instructions of three small commands, counted by callgrind, beside those in instruction_counts.json: within 2 %.

    python3 instruction_counts.py RECON COMPILER [--renew]

COMPILER is the key of the entry ("GNU 12 x86_64"); --renew writes there what is counted, and with which libraries. Exit code 77, with
the reason, where valgrind is missing and where there is no entry: of another compiler, or of a program that was built for one
processor alone or without optimisation, whose key says so.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

COUNTS = pathlib.Path(__file__).with_name("instruction_counts.json")
LEVEL = "v3"  # the best that valgrind knows
TOLERANCE = 0.02

# Each in the folder of those before. One thread, no cache, a seed: nothing that depends on time or on the machine.
COMMANDS = {
    "simulate": "simulate --matrix 64 64 --coils 4 --seed 1 --quiet --out scan.h5",
    "reconstruct": "--scan scan.h5 --out image.h5 --device cpu --threads 1 --no-cache --quiet",
    "exact sums": "--scan scan.h5 --out exact.h5 --device cpu --threads 1 --no-cache --quiet --sums exact --prior none",
}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def libraries(recon):
    """Those whose instructions are counted along, with their versions."""
    listed = subprocess.run(["ldd", recon], capture_output=True, text=True, check=True).stdout
    files = re.findall(r"=> (/\S*/lib(?:stdc\+\+|gomp|hdf5\w*|z)\.so\S*)", listed)
    return [os.confstr("CS_GNU_LIBC_VERSION"), *sorted(os.path.basename(os.path.realpath(file)) for file in files)]


def instructions(recon, arguments, folder):
    """Of the process and of those that it starts."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=counts.%p", recon, *arguments.split()]
    environment = {"PATH": os.environ["PATH"], "OMP_NUM_THREADS": "1", "RECON_CPU_LEVEL": LEVEL, "HOME": folder, "LC_ALL": "C"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr}")
    total = 0
    for counted in pathlib.Path(folder).glob("counts.*"):
        total += int(re.search(r"^(?:summary|totals): (\d+)", counted.read_text(), re.MULTILINE).group(1))
        counted.unlink()
    return total


def main():
    recon, compiler = os.path.abspath(sys.argv[1]), sys.argv[2]
    renew = sys.argv[3:] == ["--renew"]
    if shutil.which("valgrind") is None:
        skip("there is no valgrind")
    if subprocess.run([recon, "--version"], env={"RECON_CPU_LEVEL": LEVEL}, capture_output=True).returncode != 0:
        sys.exit(f"{recon} --version fails at level {LEVEL}")
    counts = json.loads(COUNTS.read_text())
    command = shlex.join(["python3", *sys.argv[:3], "--renew"])
    here = f"{compiler} with {', '.join(libraries(recon))}"
    if compiler not in counts and not renew:
        skip(f"{COUNTS.name} has counts of {', '.join(counts)}, none of {here}; to add them: {command}")
    with tempfile.TemporaryDirectory(prefix="recon-counts-") as folder:
        counted = {name: instructions(recon, arguments, folder) for name, arguments in COMMANDS.items()}
    if renew:
        counts[compiler] = {**counted, "libraries": libraries(recon)}
        COUNTS.write_text(json.dumps(counts, indent=2) + "\n")
    failed = False
    for name, count in counted.items():
        change = count / counts[compiler][name] - 1
        wrong = abs(change) > TOLERANCE
        failed = failed or wrong
        print(f"{name}: {count / 1e6:.1f} million instructions, {100 * change:+.2f} %{' <-- beyond 2 %' if wrong else ''}")
    if failed:
        sys.exit(f"here: {here}; the counts: with {', '.join(counts[compiler]['libraries'])}\n"
                 f"if the change is meant, or is that of the libraries, renew them: {command}")


main()
