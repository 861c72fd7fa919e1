"""What the package raises."""

from __future__ import annotations

from typing import Any


class ReconError(RuntimeError):
    """The program refused or failed; the message is its own, `code` its exit code (docs/user-guide.md)."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """With its code, for other processes."""
        return type(self), (str(self), self.code), self.__dict__
