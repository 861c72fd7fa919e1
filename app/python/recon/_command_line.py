"""The program's command line, of what Python gives."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import on_host, readable, refuse_masked


def _plain(value: Any, name: str) -> Any:
    """Arrays as NumPy's, numbers and names of files as Python's own."""
    refuse_masked(value, name)
    is_array = any(hasattr(value, of) for of in ("__dlpack__", "__array__")) and not isinstance(value, np.generic)
    if is_array or isinstance(value, (list, tuple)) and np.ndim(value) > 1:
        value = on_host(value, name)
    if isinstance(value, np.bool_) or isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else value


def accepted(options: dict[str, Any], known: dict[str, bool]) -> dict[str, Any]:
    """Those that are not None or False, by the names that the program has (`_program.options`); no_check=False is check=True as well.

    An unknown name becomes a flag, whatever its value: the program refuses it, and says what was likely meant.
    """
    kept: dict[str, Any] = {}
    for given, value in options.items():
        name, value = given.rstrip("_").replace("-", "_"), _plain(value, given)  # lambda is a word of Python, lambda_ is not
        if name == "scan":
            raise ValueError("scan is made of kspace and trajectory; leave it out, or reconstruct a file by the program itself")
        is_switch = value is None or isinstance(value, bool)
        if name not in known and f"no_{name}" in known and is_switch:
            name, value = f"no_{name}", value is False
        if name not in known:
            kept[name] = True
            continue
        if not known[name] and not is_switch:
            raise ValueError(f"{given} is {value!r}, expected True or False")
        if isinstance(value, str) and value == "-":
            raise ValueError(f"{given} is '-', the program's standard input or output, which is not Python's; expected the name of a file")
        if value is not None and value is not False:
            kept[name] = value
    return kept


def outputs(options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Files that the program writes: those that the caller names, and, in `folder`, those that are read again."""
    image = folder / "image.npy"
    if "out" in options or "report" in options:  # a page is made of an HDF5 file
        return {"out": folder / "image.h5", "npy": image, "json": folder / "run.json", **options}
    return {"out": image, "json": folder / "run.json", **options}


def words(options: dict[str, Any], known: dict[str, bool], folder: Path) -> list[str]:
    """Names and values, flags behind them; arrays as files in `folder`."""
    result: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if isinstance(value, np.ndarray) and value.ndim > 1:
            np.save(folder / f"{name}.npy", readable(value, name))
            result += [option, str(folder / f"{name}.npy")]
        elif isinstance(value, (list, tuple, np.ndarray)):
            if len(value) == 0:
                raise ValueError(f"{name} is empty, expected one value or more")
            result += [option, *(os.fsdecode(element) if isinstance(element, bytes) else str(element) for element in value)]
        elif value is not True:
            result += [option, str(value)]
    # what wants a value and has none comes last, or it took the next word for that
    flags = sorted((name for name, value in options.items() if value is True), key=lambda name: known.get(name, False))
    return result + ["--" + name.replace("_", "-") for name in flags]
