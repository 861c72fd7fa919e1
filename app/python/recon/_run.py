"""A run of the program: its log, its warnings, and its end at Ctrl-C."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from typing import Callable, Optional

from ._errors import warn
from ._program import environment

#: Lines of the log: level, time, and "CG: iteration 3 of 30, residual 1.2e-03".
_ITERATION = re.compile(r"^\w \S+ (.*): iteration (\d+) of (\d+), residual (\S+)")
_WARNING = re.compile(r"^W \S+ (.*)")

Progress = Optional[Callable[[str, int, int, float], object]]


class Log:
    """What the program says, without the name of the folder that it works in."""

    def __init__(self, folder: str, verbose: bool, progress: Progress):
        self._folder, self._verbose, self._progress = folder, verbose, progress
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        if line.startswith("D "):
            return
        line = line.replace(self._folder, "")
        self._lines.append(line)
        warning = _WARNING.match(line)
        if warning:
            warn(warning[1])  # which Python shows
        elif self._verbose:
            sys.stderr.write(line)
        done = _ITERATION.match(line) if self._progress else None
        if self._progress and done:
            self._progress(done[1], int(done[2]), int(done[3]), float(done[4]))

    @property
    def text(self) -> str:
        return "".join(self._lines)


def run(command: list[str], log: Log) -> int:
    """The program's exit code, negative for a signal. An exception, as of Ctrl-C, ends the program first, which may write what it has.

    A second signal would end it at once. In a session of its own it gets none of the terminal, but the one that it is sent here;
    only the main thread is told of Ctrl-C, so that the programs of others are left to the terminal.
    """
    is_told = threading.current_thread() is threading.main_thread()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
                          errors="backslashreplace", env=environment(), start_new_session=is_told) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                log.add(line)
            return process.wait()
        except BaseException as reason:
            process.send_signal(signal.SIGINT if isinstance(reason, KeyboardInterrupt) else signal.SIGTERM)
            _await(process)
            raise


def _await(process: subprocess.Popen[str]) -> None:
    """Reads on until the program has ended, as it could not write into a closed or full pipe; at a second Ctrl-C it is killed."""
    try:
        process.communicate()
    except BaseException:
        process.kill()
        process.wait()
        raise
