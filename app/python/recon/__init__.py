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
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from ._errors import ReconError, ReconWarning
from ._program import program
from ._reconstruct import Reconstruction, reconstruct

if TYPE_CHECKING:
    from . import operators
    from .operators import Encoding, Nufft, Toeplitz

__all__ = ["ReconError", "ReconWarning", "Reconstruction", "program", "reconstruct"]
if find_spec("._operators", __name__):  # compiled, which an installation may be without
    __all__ += ["Encoding", "Nufft", "Toeplitz", "operators"]

try:
    __version__ = metadata.version("recon-mri")
except metadata.PackageNotFoundError:  # from a folder in the path
    __version__ = "unknown"


def __getattr__(name: str) -> Any:
    """The operators are loaded when they are wanted."""
    if name not in ("Encoding", "Nufft", "Toeplitz", "operators"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        operators = import_module(".operators", __name__)
    except ImportError as error:
        raise AttributeError(f"{__name__}.{name}: {error}") from error
    return operators if name == "operators" else getattr(operators, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
