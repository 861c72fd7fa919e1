"""MRI reconstruction from non-Cartesian scans.

    import recon
    result = recon.reconstruct(kspace, trajectory, matrix=(220, 220))
    result.image      # complex64 [z, y, x]
    result.record     # what was done, and how it went: a dictionary

`reconstruct` runs the program `recon`: what the environment variable RECON_PROGRAM names, or that of this installation, or of the PATH.
`recon.operators`, where this installation has them compiled, works on arrays where they are.
"""

from ._reconstruct import ReconError, Reconstruction, program, reconstruct

__all__ = ["ReconError", "Reconstruction", "program", "reconstruct"]
