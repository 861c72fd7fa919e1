"""Encoding operators on arrays of NumPy, PyTorch, CuPy, JAX and whatever else has `__dlpack__`.

    from recon.operators import Encoding
    E = Encoding(trajectory, (220, 220), coil_maps=maps, device="cuda")
    image = E.solve(kspace, iterations=30).image        # a torch.Tensor on the GPU if kspace is one

Arrays on the operator's device are read and written where they are, without a copy; results are of the library that the argument
is of. Arrays on the host are copied to the device of an operator on a GPU, and their results back. Trajectories and weights are
needed on the host, where they are sorted once.

Axes are as in NumPy, the last one fastest: images [y, x] or [z, y, x], samples like the positions of the trajectory, [sample] or
[readout, sample]. Positions, and the numbers of voxels `matrix`, are in the order x, y, z: a matrix (220, 180) is of images [180, 220].
Positions are in cycles per field of view, from -N/2 to N/2 (`docs/conventions.md`), or in what `trajectory_unit` says: "cycles/voxel"
(+-0.5), "rad/voxel" (+-pi). Numbers are complex64, with `double=True`
complex128. `device` is "cpu", "cuda", "cuda:1", a `torch.device`, or "auto": the GPU if there is one. Tensors of PyTorch that require a
gradient get it through `forward`, `adjoint` and `normal`. Operators may be copied, sharing what is computed, and pickled: then they
are made anew where they arrive, on the device that was named.

Arguments that cannot be raise ValueError, extents that do not fit into memory MemoryError.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import glob
import math
import sys
import warnings
from dataclasses import dataclass
from typing import Any, Callable, Sequence

import numpy as np

from ._program import cuda_folders
from ._reconstruct import REAL, found, on_host, refuse_masked, resolved, voxels

try:
    from . import _operators
except ImportError as error:
    raise ImportError("this installation of recon is without operators, which are compiled: `pip install .` in the sources of "
                      f"recon, or a wheel, has them ({error})") from error


def _like(result: Any, example: Any) -> Any:
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


def _real_on_host(array: Any, what: str) -> np.ndarray:
    numbers = on_host(array, what, REAL)
    if numbers.dtype.kind not in "fiu":
        raise ValueError(f"{found(what, numbers)}, expected real numbers")
    return numbers.astype(np.float64, copy=False)


def _cycles_per_fov(positions: np.ndarray, sizes: Sequence[int], unit: str | None) -> np.ndarray:
    """Positions [sample, dimension] of that unit, None being cycles/FOV. Warns where none was named and another is likely meant."""
    n = np.array(sizes)
    factors = {"cycles/FOV": np.ones(len(n)), "cycles/voxel": n, "rad/voxel": n / (2 * np.pi)}
    if unit is not None and unit not in factors:
        raise ValueError(f"trajectory_unit is {unit!r}, expected one of {', '.join(factors)}")
    shown = n > 1
    farthest = np.abs(positions[:, shown]).max(axis=0, initial=0)
    if unit is None and farthest.any() and (farthest < n[shown] / 20).all():
        warnings.warn(f"the trajectory reaches to {farthest.max():.3g}, the band of the matrix to {n.max() / 2:g} cycles/FOV; if it is in "
                      "cycles/voxel (+-0.5) or rad/voxel (+-pi), say so with trajectory_unit=", stacklevel=4)
    return positions * factors[unit or "cycles/FOV"]


def _wants_gradient(array: Any) -> bool:
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


class _Operator:
    """Axes and arguments that all operators have in common: `domain` and `codomain` are the extents of what `forward` takes and gives,
    `dtype` is the type of their numbers."""

    domain: tuple[int, ...]
    codomain: tuple[int, ...]
    _kind: str  # its name in _operators
    _native: Any

    def __init__(self, trajectory: Any, matrix: int | Sequence[int], trajectory_unit: str | None, tol: float, double: bool, device: Any,
                 threads: int):
        positions = _real_on_host(trajectory, "trajectory")
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
        self._site = dict(device=str(device), threads=threads, image_extents=list(self._image_shape),
                          sample_extents=list(self._sample_shape), tolerance=tol, double_precision=double)
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
        if _wants_gradient(array):
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
        return out if out is not None else _like(result, given)

    @property
    def device(self) -> str:
        """ "cpu", "cuda:0" """
        return self._native.device


class Nufft(_Operator):
    """samples[m] = sum_n image[n] exp(-2 pi i k_m.r_n), by gridding [Barnett 2019] with a relative error of `tol`.

    Axes before those of an image are a batch: [coil, y, x] gives [coil, readout, sample].
    """

    _kind = "Nufft"

    def __init__(self, trajectory: Any, matrix: int | Sequence[int], *, trajectory_unit: str | None = None, tol: float = 1e-6,
                 double: bool = False, device: Any = "auto", threads: int = 0):
        super().__init__(trajectory, matrix, trajectory_unit, tol, double, device, threads)
        self.domain, self.codomain = self._image_shape, self._sample_shape
        self._make()

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make()

    def forward(self, image: Any, out: Any = None) -> Any:
        """Samples of an image, or of a batch of them. `out` is an array to write into."""
        return self._call("image", self._native.forward, image, out, self.adjoint)

    def adjoint(self, samples: Any, out: Any = None) -> Any:
        """image[n] = sum_m samples[m] exp(+2 pi i k_m.r_n): gridding without weights."""
        return self._call("samples", self._native.adjoint, samples, out, self.forward)

    def normal(self, image: Any) -> Any:
        """The adjoint of the forward transform."""
        return self.adjoint(self.forward(image))


@dataclass
class Solution:
    """An image, and how it came about."""

    image: Any
    iterations: int
    residual: float  #: |b - A x| / |b| of the normal equations, computed anew at the end
    stopped_by: str  #: "iterations", "residual", "cancelled", ...
    residuals: list[float]  #: after each iteration


class Encoding(_Operator):
    """kspace[c] = sqrt(weights) F (coil_maps[c] image): image -> k-space of all coils.

    coil_maps   complex [coil, y, x] or [coil, z, y, x]; None is one coil of sensitivity 1. Copied once, on its device if it is there
    weights     real, like samples, from 0 on; None is 1
    toeplitz    whether `normal` is a convolution with Q, exact and several times faster, at 2^d times the memory of an image

    `adjoint` applies the root of the weights as `forward` does: `E.adjoint(sqrt(weights) * kspace)` is the right-hand side of the
    weighted problem, and `solve` does that.
    """

    _kind = "Encoding"

    def __init__(self, trajectory: Any, matrix: int | Sequence[int], *, coil_maps: Any = None, weights: Any = None,
                 toeplitz: bool = True, trajectory_unit: str | None = None, tol: float = 1e-6, double: bool = False,
                 device: Any = "auto", threads: int = 0):
        super().__init__(trajectory, matrix, trajectory_unit, tol, double, device, threads)
        maps = None if coil_maps is None else self._maps_of_coils(self._given(coil_maps, "coil_maps"))
        numbers = None if weights is None else _real_on_host(weights, "weights")
        if numbers is not None and numbers.shape not in (self._sample_shape, self._positions.shape[:1]):
            raise ValueError(f"weights are {list(numbers.shape)}, expected {list(self._sample_shape)}, one for each sample")
        self._weights = None if numbers is None else numbers.flatten()
        self._toeplitz = toeplitz
        self._make(maps, self._weights, toeplitz)
        self.domain = self._image_shape
        self.codomain = ((1 if maps is None else maps.shape[0]), *self._sample_shape)

    def __getstate__(self) -> dict[str, Any]:
        maps = self._native.coil_maps()
        return {**super().__getstate__(), "_maps": None if maps is None else np.from_dlpack(maps)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make(self.__dict__.pop("_maps"), self._weights, self._toeplitz)

    def _maps_of_coils(self, maps: Any) -> Any:
        """With the extents of the image: those of 1 may be missing or added, as in [coil, 1, y, x]."""
        voxels = tuple(maps.shape[1:])
        fits = len(voxels) > 0 and [n for n in voxels if n > 1] == [n for n in self._image_shape if n > 1]
        return maps.reshape((maps.shape[0], *self._image_shape)) if fits and voxels != self._image_shape else maps

    def forward(self, image: Any, out: Any = None) -> Any:
        """K-space [coil, *samples] of an image. `out` is an array to write into."""
        return self._call("image", self._native.forward, image, out, self.adjoint)

    def adjoint(self, kspace: Any, out: Any = None) -> Any:
        """The image E^H kspace."""
        return self._call("kspace", self._native.adjoint, kspace, out, self.forward)

    def normal(self, image: Any, out: Any = None) -> Any:
        """The image E^H E image."""
        return self._call("image", self._native.normal, image, out, self.normal)

    def solve(self, kspace: Any, *, iterations: int = 30, stop: float = 1e-6, lambda_: float = 0.0) -> Solution:
        """argmin |sqrt(weights) (F S image - kspace)|^2 + lambda_ Q(0) |image|^2, by conjugate gradients on the device.

        `stop` is the relative residual at which to stop. Raises KeyboardInterrupt at Ctrl-C, after the iteration.
        """
        if _wants_gradient(kspace):
            raise ValueError("solve has no gradient; give kspace.detach()")
        given = self._given(kspace, "kspace")
        right_hand_side = self._run(self._native.weighted_adjoint, given)
        image, *report = self._run(self._native.solve_normal, right_hand_side, lambda_, iterations, stop)
        return Solution(_like(image, given), *report)


class Toeplitz:
    """E^H E: image -> image, as a convolution with Q, for solvers of the normal equations: A x = E.adjoint(kspace).

    Arguments as of `Encoding`, whose `normal` it is. It is its own adjoint; `normal` is it twice.
    """

    def __init__(self, trajectory: Any, matrix: int | Sequence[int], *, coil_maps: Any = None, weights: Any = None,
                 trajectory_unit: str | None = None, tol: float = 1e-6, double: bool = False, device: Any = "auto", threads: int = 0):
        self._encoding = Encoding(trajectory, matrix, coil_maps=coil_maps, weights=weights, trajectory_unit=trajectory_unit, tol=tol,
                                  double=double, device=device, threads=threads)
        self.domain = self.codomain = self._encoding.domain
        self.dtype = self._encoding.dtype

    def forward(self, image: Any, out: Any = None) -> Any:
        """The image E^H E image. `out` is an array to write into."""
        return self._encoding.normal(image, out)

    def adjoint(self, image: Any, out: Any = None) -> Any:
        """The same."""
        return self.forward(image, out)

    def normal(self, image: Any, out: Any = None) -> Any:
        """(E^H E)^2 image."""
        return self.forward(self.forward(image), out)

    @property
    def device(self) -> str:
        """ "cpu", "cuda:0" """
        return self._encoding.device


def as_scipy(operator: Nufft | Encoding | Toeplitz) -> Any:
    """A scipy.sparse.linalg.LinearOperator on flat NumPy arrays, for SciPy's solvers."""
    from scipy.sparse.linalg import LinearOperator

    rows, columns = int(np.prod(operator.codomain)), int(np.prod(operator.domain))
    return LinearOperator((rows, columns), dtype=operator.dtype,
                          matvec=lambda x: operator.forward(np.reshape(x, operator.domain)).ravel(),
                          rmatvec=lambda y: operator.adjoint(np.reshape(y, operator.codomain)).ravel())


def as_sigpy(operator: Nufft | Encoding | Toeplitz) -> Any:
    """A sigpy.linop.Linop, for SigPy's apps and algorithms; its normal operator is `operator.normal`."""
    from sigpy.linop import Linop

    class Adapted(Linop):
        def __init__(self, codomain: Any, domain: Any, apply: Any, adjoint: Any, normal: Any = None):
            self._functions = (apply, adjoint, normal)
            super().__init__(codomain, domain, repr_str=type(operator).__name__)

        def _apply(self, array: Any) -> Any:
            return self._functions[0](array)

        def _adjoint_linop(self) -> Any:
            apply, adjoint, _ = self._functions
            return Adapted(self.ishape, self.oshape, adjoint, apply)

        def _normal_linop(self) -> Any:
            normal = self._functions[2]
            return Adapted(self.ishape, self.ishape, normal, normal) if normal else self.H * self

    return Adapted(operator.codomain, operator.domain, operator.forward, operator.adjoint, operator.normal)
