"""MRI reconstruction from non-Cartesian scans.

    import recon
    result = recon.reconstruct(kspace, trajectory, matrix=(220, 220))
    result.image      # complex64 [z, y, x]
    result.record     # what was done, and how it went: a dictionary

`reconstruct` runs the program `recon`: what the environment variable RECON_PROGRAM names, or that of this installation, or of the PATH.
`recon.operators`, where this installation has them compiled, works on arrays where they are: `recon.Nufft`, `recon.Toeplitz`,
`recon.Encoding`.
"""

from importlib import import_module, metadata
from typing import TYPE_CHECKING, Any

from ._errors import ReconError, ReconWarning
from ._program import program
from ._reconstruct import Reconstruction, reconstruct

if TYPE_CHECKING:
    from . import operators
    from .operators import Encoding, Nufft, Toeplitz

__all__ = ["Encoding", "Nufft", "ReconError", "ReconWarning", "Reconstruction", "Toeplitz", "operators", "program", "reconstruct"]

try:
    __version__ = metadata.version("recon-mri")
except metadata.PackageNotFoundError:  # from a folder in the path
    __version__ = "unknown"


def __getattr__(name: str) -> Any:
    """The operators are loaded when they are wanted: an installation may be without."""
    if name == "operators":
        return import_module(".operators", __name__)
    if name in ("Encoding", "Nufft", "Toeplitz"):
        return getattr(import_module(".operators", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
