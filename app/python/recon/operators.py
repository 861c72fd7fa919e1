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

from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from ._operator import Operator, described, like, number, real_on_host, wants_gradient, whole_number


class Nufft(Operator):
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

    def normal(self, image: Any, out: Any = None) -> Any:
        """The adjoint of the forward transform."""
        return self.adjoint(self.forward(image), out)


@dataclass
class Solution:
    """An image, and how it came about."""

    image: Any
    iterations: int
    residual: float  #: |b - A x| / |b| of the normal equations, computed anew at the end
    stopped_by: str  #: "iterations", "residual", "cancelled", ...
    residuals: list[float]  #: after each iteration


class Encoding(Operator):
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
        numbers = None if weights is None else real_on_host(weights, "weights")
        if numbers is not None and numbers.shape not in (self._sample_shape, self._positions.shape[:1]):
            raise ValueError(f"weights are {list(numbers.shape)}, expected {list(self._sample_shape)}, one for each sample")
        self._weights = None if numbers is None else numbers.flatten()
        self._toeplitz = bool(toeplitz)
        self._make(maps, self._weights, self._toeplitz)
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
        if wants_gradient(kspace):
            raise ValueError("solve has no gradient; give kspace.detach()")
        rule = number(lambda_, "lambda_"), whole_number(iterations, "iterations"), number(stop, "stop")
        given = self._given(kspace, "kspace")
        right_hand_side = self._run(self._native.weighted_adjoint, given)
        image, *report = self._run(self._native.solve_normal, right_hand_side, *rule)
        return Solution(like(image, given), *report)


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

    __repr__ = described

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
