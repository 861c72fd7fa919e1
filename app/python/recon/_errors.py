"""What the package raises, and how it warns."""

from __future__ import annotations

import sys
import warnings
from typing import Any


class ReconError(RuntimeError):
    """The program refused or failed; the message is its own, `code` its exit code (docs/user-guide.md)."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """With its code, for other processes."""
        return type(self), (str(self), self.code), self.__dict__


class ReconWarning(UserWarning):
    """The image may not be what it seems: what the program, or an operator, warns of."""


def warn(text: str) -> None:
    """A ReconWarning at the line that called the package."""
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(text, ReconWarning, stacklevel=level)
