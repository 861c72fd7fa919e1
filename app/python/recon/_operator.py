"""What all operators have in common: what they are made for, and the arrays that they take and give."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import glob
import math
import operator
import sys
from typing import Any, Callable, Sequence

import numpy as np

from ._arrays import REAL, found, on_host, refuse_masked, resolved, voxels
from ._errors import warn
from ._program import cuda_folders

try:
    from . import _operators
except ImportError as error:
    raise ImportError("this installation of recon is without operators, which are compiled: `pip install .` in the sources of "
                      f"recon, or a wheel, has them ({error})") from error


def like(result: Any, example: Any) -> Any:
    """The same memory as an array of the example's library."""
    if isinstance(example, np.ndarray):
        return np.from_dlpack(result)
    if hasattr(example, "__array_namespace__"):
        return example.__array_namespace__().from_dlpack(result)
    library = sys.modules.get(type(example).__module__.partition(".")[0])
    return library.from_dlpack(result) if hasattr(library, "from_dlpack") else result


def _open_cuda_libraries(device: str) -> None:
    """Those of PyPI's packages, which no search path leads to; what is open already is found by its name. One that does not open
    may never be needed; who needs it says so."""
    if device != "cpu":
        for file in (file for folder in cuda_folders() for file in glob.glob(folder + "/libcufft.so.*")):
            with contextlib.suppress(OSError):
                ctypes.CDLL(file)


def real_on_host(array: Any, what: str) -> np.ndarray:
    numbers = on_host(array, what, REAL)
    if numbers.dtype.kind not in "fiu":
        raise ValueError(f"{found(what, numbers)}, expected real numbers")
    return numbers.astype(np.float64, copy=False)


def number(value: Any, name: str) -> float:
    """Raises ValueError for what is none, before the binding refuses it in words of its own."""
    try:
        return value.__float__()
    except (AttributeError, TypeError, ValueError) as error:
        raise ValueError(f"{name} is {value!r}, expected a number") from error


def whole_number(value: Any, name: str) -> int:
    try:
        return operator.index(value)
    except TypeError as error:
        raise ValueError(f"{name} is {value!r}, expected a whole number") from error


def described(op: Any) -> str:
    """<Nufft (10, 12) -> (20, 21), complex64 on cpu>"""
    return f"<{type(op).__name__} {op.domain} -> {op.codomain}, {op.dtype} on {op.device}>"


def _cycles_per_fov(positions: np.ndarray, sizes: Sequence[int], unit: str | None) -> np.ndarray:
    """Positions [sample, dimension] of that unit, None being cycles/FOV. Warns where none was named and another is likely meant."""
    n = np.array(sizes)
    factors = {"cycles/FOV": np.ones(len(n)), "cycles/voxel": n, "rad/voxel": n / (2 * np.pi)}
    if unit is not None and unit not in factors:
        raise ValueError(f"trajectory_unit is {unit!r}, expected one of {', '.join(factors)}")
    shown = n > 1
    farthest = np.abs(positions[:, shown]).max(axis=0, initial=0)
    if unit is None and farthest.any() and (farthest < n[shown] / 20).all():
        warn(f"the trajectory reaches to {farthest.max():.3g}, the band of the matrix to {n.max() / 2:g} cycles/FOV; if it is in "
             "cycles/voxel (+-0.5) or rad/voxel (+-pi), say so with trajectory_unit=")
    return positions * factors[unit or "cycles/FOV"]


def wants_gradient(array: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor) and array.requires_grad and torch.is_grad_enabled()


@functools.cache
def _differentiable() -> Callable[..., Any]:
    """A linear function as PyTorch differentiates it: the gradient goes back through the adjoint."""
    import torch

    class Linear(torch.autograd.Function):
        @staticmethod
        def forward(context, array, function, adjoint):
            context.adjoint = adjoint
            return function(array)

        @staticmethod
        def backward(context, gradient):
            return context.adjoint(gradient.contiguous()), None, None

    return Linear.apply


class Operator:
    """Axes and arguments that all operators have in common: `domain` and `codomain` are the extents of what `forward` takes and gives,
    `dtype` is the type of their numbers."""

    domain: tuple[int, ...]
    codomain: tuple[int, ...]
    _kind: str  # its name in _operators
    _native: Any

    def __init__(self, trajectory: Any, matrix: int | Sequence[int], trajectory_unit: str | None, tol: float, double: bool, device: Any,
                 threads: int):
        positions = real_on_host(trajectory, "trajectory")
        if positions.ndim < 2 or positions.shape[-1] not in (1, 2, 3):
            raise ValueError(f"trajectory is {list(positions.shape)}, expected [sample, dimension] or [readout, sample, dimension]")
        dimensions = positions.shape[-1]
        sizes = voxels(matrix, dimensions)
        if len(sizes) != dimensions:
            raise ValueError(f"matrix is {sizes}, expected {dimensions} numbers, as the trajectory has dimensions")
        self.dtype = np.dtype(np.complex128 if double else np.complex64)
        self._image_shape = tuple(reversed(sizes))
        self._sample_shape = positions.shape[:-1]
        voxel_count, most = math.prod(sizes), 2**39  # 4 TB of complex64
        if voxel_count > most:
            raise MemoryError(f"matrix is {sizes}, {voxel_count} voxels, expected {most} at most")
        self._site = dict(device=str(device), threads=whole_number(threads, "threads"), image_extents=list(self._image_shape),
                          sample_extents=list(self._sample_shape), tolerance=number(tol, "tol"), double_precision=bool(double))
        of_samples = positions.reshape(-1, dimensions)
        self._positions = np.ascontiguousarray(_cycles_per_fov(of_samples, sizes, trajectory_unit))  # of its own, as given may change

    def _make(self, *parts: Any) -> None:
        """What computes, made of the positions, `parts` and the site."""
        _open_cuda_libraries(self._site["device"])
        self._native = self._run(getattr(_operators, self._kind), self._positions, *parts, **self._site)

    def _run(self, function: Any, *arguments: Any, **options: Any) -> Any:
        try:
            return function(*arguments, **options)
        except MemoryError as error:
            matrix, samples = list(reversed(self._image_shape)), len(self._positions)
            raise MemoryError(f"{self._kind} of {matrix} voxels and {samples} samples: this machine's memory is not enough") from error

    __repr__ = described

    def __getstate__(self) -> dict[str, Any]:
        """All but what computes, which is made anew where this arrives."""
        return {name: value for name, value in self.__dict__.items() if name != "_native"}

    def __copy__(self) -> Any:
        """Shares what computes, which nothing changes."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self.__copy__()

    def _given(self, array: Any, name: str) -> Any:
        """NumPy's arrays and lists become what is expected; arrays of others are taken as they are."""
        refuse_masked(array, name)
        if isinstance(array, np.ndarray) or not hasattr(array, "__dlpack__"):
            return np.ascontiguousarray(array, self.dtype)
        return resolved(array)

    def _call(self, name: str, function: Any, array: Any, out: Any, adjoint: Callable[[Any], Any]) -> Any:
        if wants_gradient(array):
            if out is not None:
                raise ValueError("out= takes no part in gradients; leave it out, or give array.detach()")
            return _differentiable()(array, lambda x: self._call(name, function, x.detach(), None, adjoint), adjoint)
        if out is not resolved(out):
            raise ValueError("out is marked as conjugate or negative of other numbers; give an array of its own")
        if isinstance(out, np.ndarray) and not out.flags.writeable:
            raise ValueError("out is read-only; give an array that can be written into")
        refuse_masked(out, "out")
        given = self._given(array, name)
        if 0 in getattr(given, "shape", ()):
            raise ValueError(f"an array of extents {list(given.shape)} holds no numbers, expected one or more")
        result = self._run(function, given, out)
        return out if out is not None else like(result, given)

    @property
    def device(self) -> str:
        """ "cpu", "cuda:0" """
        return self._native.device
