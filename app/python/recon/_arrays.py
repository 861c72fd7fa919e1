"""Arrays of any library as the program and the operators read them."""

from __future__ import annotations

from typing import Any

import numpy as np


def resolved(array: Any) -> Any:
    """PyTorch marks conjugates and negatives instead of computing them, and DLPack carries no marks: the numbers themselves."""
    for method in ("resolve_conj", "resolve_neg"):
        array = getattr(array, method)() if hasattr(array, method) else array
    return array


def refuse_masked(array: Any, name: str) -> None:
    """Raises ValueError where NumPy's mask hides numbers: they would be taken for measured."""
    if isinstance(array, np.ma.MaskedArray):
        masked = np.ma.count_masked(array)
        if masked:
            raise ValueError(f"{name}: {masked} of {array.size} values are masked, expected none; fill them (`.filled(0)`), and leave "
                             "such samples out or give them a weight of 0")
    elif isinstance(array, (list, tuple)):
        for element in array:
            refuse_masked(element, name)


#: What arguments are, for messages.
REAL, COMPLEX = "float32 or float64", "complex64 or complex128"
NUMBERS = f"{REAL}, {COMPLEX}"


def found(name: str, array: Any) -> str:
    """How a message begins: trajectory is float32[420, 2]."""
    dtype = str(getattr(array, "dtype", type(array).__name__)).rpartition(".")[2]  # of torch.bfloat16
    return f"{name} {'are' if name.endswith('s') else 'is'} {dtype}{list(getattr(array, 'shape', ()))}"


def on_host(array: Any, name: str, expected: str = NUMBERS) -> np.ndarray:
    """As a NumPy array: arrays on the host by DLPack, without a copy; those on a device copied from there.

    Raises ValueError, with the argument's name, for masked numbers, types that NumPy lacks (bfloat16) and lists that are no array.
    """
    refuse_masked(array, name)
    if isinstance(array, np.ndarray) or not hasattr(array, "__dlpack__"):
        try:
            return np.asarray(array)
        except ValueError as error:
            raise ValueError(f"{name}: lists of unequal lengths or of what is no number, expected {expected}") from error
    array = resolved(array)
    host = 1  # DLPack's number
    if array.__dlpack_device__()[0] != host:
        for method in ("cpu", "get", "__array__"):  # PyTorch, CuPy, JAX
            if hasattr(array, method):
                array = getattr(array, method)()
                break
    try:
        return np.asarray(array if isinstance(array, np.ndarray) else np.from_dlpack(array))
    except (RuntimeError, BufferError) as error:
        raise ValueError(f"{found(name, array)}, expected {expected} in memory that NumPy can read: {error}") from error


def readable(array: Any, name: str, expected: str = NUMBERS) -> np.ndarray:
    """As numbers of a type that the program reads, in this machine's order of bytes."""
    array = on_host(array, name, expected)
    if array.dtype.kind not in "biufc":
        raise ValueError(f"{found(name, array)}, expected {expected}")
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    if array.dtype.str[1:] in ("c8", "c16", "f4", "f8", "i8", "i4", "i2", "u2", "u1", "b1"):
        return array
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def in_single_precision(array: np.ndarray, name: str) -> np.ndarray:
    """As complex64. Raises ValueError for numbers that become infinite by that; those that were are the program's to refuse."""
    with np.errstate(over="ignore"):
        single = array.astype(np.complex64, copy=False)
    lost = 0 if single is array else np.count_nonzero(np.isfinite(array) & ~np.isfinite(single))
    if lost:
        raise ValueError(f"{name}: {lost} of {array.size} values are too large for single precision (3.4e38); scale the data")
    return single


def voxels(matrix: Any, axes: int = 1) -> list[int]:
    """Whole numbers, which floats may hold as well; one number is that of all `axes`. Raises ValueError for others."""
    try:
        numbers = on_host(matrix, "matrix")
    except ValueError:  # lists of unequal length
        numbers = np.array([])
    is_list = numbers.dtype.kind in "iuf" and numbers.ndim < 2 and numbers.size > 0
    if not is_list or not all(n >= 1 and float(n).is_integer() for n in numbers.flat):
        raise ValueError(f"matrix is {matrix!r}, expected whole numbers of voxels, from 1 on")
    return [int(n) for n in numbers.flat] * (axes if numbers.ndim == 0 else 1)
