#!/usr/bin/env python3
"""Names, in programs and libraries, the old versions of the C library's functions, so that an older C library will do.

    lower_glibc.py FILE... [--to 2.27]     needs pyelftools and patchelf

exp@GLIBC_2.29 and exp@GLIBC_2.2.5 are the same function but for how it reports errors; pthread_create@GLIBC_2.34 moved from one
library to another. Whatever has a version that is old enough in the C library of this machine gets that one. What has none, because it
did not exist, is an error: app/package/wheel/old_glibc.c is where such functions are made. Errors are a line and exit code 1.
"""

import argparse
import re
import subprocess
import sys

from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection, GNUVerSymSection

# Where they were before they became part of libc.so.6; empty libraries today.
FORMER_LIBRARIES = ["libpthread.so.0", "libdl.so.2", "librt.so.1"]
LIBRARIES = ["/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6"]

ANY_VERSION = 1  # VER_NDX_GLOBAL


NUMBERED = re.compile(r"GLIBC_(\d+(?:\.\d+)*)")  # and not GLIBC_PRIVATE, GLIBC_ABI_DT_RELR


def parts(text):
    return tuple(int(part) for part in text.split("."))


def number(version):
    return parts(NUMBERED.fullmatch(version)[1])


def output_of(*command):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError:
        sys.exit(f"{command[0]}: there is no such program; install it")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{' '.join(command)}: {error.stderr.strip()}")


def versions_there_are():
    """{function: all its versions} of this machine's C library."""
    known = {}
    for library in LIBRARIES:
        listing = output_of("objdump", "-T", library)
        for version, name in re.findall(r"\(?(GLIBC_[\d.]+)\)?\s+(\w+)$", listing, re.MULTILINE):
            known.setdefault(name, set()).add(version)
    return known


def elf_hash(name):
    value = 0
    for byte in name.encode():
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high
    return value


class Needs:
    """The versions that a file needs, and where they are written in it."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            elf = ELFFile(file)
            sections = list(elf.iter_sections())
            numbers = next((section for section in sections if isinstance(section, GNUVerSymSection)), None)
            need = next((section for section in sections if isinstance(section, GNUVerNeedSection)), None)
            if numbers is None or need is None:
                sys.exit(f"{path}: names no versions of other libraries' functions; expected a program or a shared library")
            self.symbols = [symbol.name for symbol in elf.get_section_by_name(".dynsym").iter_symbols()]
            self.numbers_at = numbers["sh_offset"]
            self.numbers = [symbol.entry["ndx"] for symbol in numbers.iter_symbols()]
            self.entries = []  # (offset in the file, library, version, number, offset of the name)
            offset = need["sh_offset"]
            for library, auxiliaries in need.iter_versions():
                at = offset + library["vn_aux"]
                for auxiliary in auxiliaries:
                    self.entries.append((at, library.name, auxiliary.name, auxiliary["vna_other"], auxiliary["vna_name"]))
                    at += auxiliary["vna_next"]
                offset += library["vn_next"]


def lower(path, most, known):
    for library in FORMER_LIBRARIES:
        output_of("patchelf", "--add-needed", library, path)
    needs = Needs(path)
    unnumbered = [version for _, _, version, _, _ in needs.entries if version.startswith("GLIBC_") and not NUMBERED.fullmatch(version)]
    if unnumbered:
        sys.exit(f"{path}: needs {', '.join(unnumbered)}, which no other version can stand for; link it without")
    too_new = {number_: (at, library, version) for at, library, version, number_, _ in needs.entries
               if version.startswith("GLIBC_") and number(version) > most}
    by_version = {(library, version): (number_, name) for _, library, version, number_, name in needs.entries}
    changes, missing = [], []  # (offset, bytes)
    for index, (name, number_) in enumerate(zip(needs.symbols, needs.numbers)):
        if number_ not in too_new:
            continue
        _, library, version = too_new[number_]
        old = max((v for v in known.get(name, ()) if number(v) <= most), key=number, default=None)
        if old is None:
            missing.append(f"{name}@{version}")
            continue
        # Where the file names that version nowhere, none: the loader takes the default, of a function that has but one signature.
        new_number = by_version[library, old][0] if (library, old) in by_version else ANY_VERSION
        changes.append((needs.numbers_at + 2 * index, new_number.to_bytes(2, "little")))
    for at, library, version in too_new.values():  # nothing refers to them any more: a second time what is needed anyway
        old_ones = ((v, name) for (of, v), (_, name) in by_version.items()
                    if of == library and NUMBERED.fullmatch(v) and number(v) <= most)
        old, name = next(old_ones, (None, None))
        if old is None:
            sys.exit(f"{path}: of {library} it needs {version} and no version up to {'.'.join(map(str, most))} that could stand there")
        changes += [(at, elf_hash(old).to_bytes(4, "little")), (at + 8, name.to_bytes(4, "little"))]
    if missing:
        sys.exit(f"{path}: no version up to {'.'.join(map(str, most))}: {', '.join(missing)}")
    with open(path, "r+b") as file:
        for at, data in changes:
            file.seek(at)
            file.write(data)
    print(f"{path}: {sum(len(data) == 2 for _, data in changes)} functions by their old names")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="+")
    parser.add_argument("--to", type=parts, default=(2, 27), metavar="2.27")
    arguments = parser.parse_args()
    known = versions_there_are()
    for path in arguments.files:
        lower(path, arguments.to, known)


if __name__ == "__main__":
    main()
