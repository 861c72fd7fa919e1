"""MRI reconstruction from non-Cartesian scans.

    import recon
    result = recon.reconstruct(kspace, trajectory, matrix=(220, 220))
    result.image      # complex64 [z, y, x]
    result.record     # what was done, and how it went: a dictionary

Runs the program `recon`, which must be in the PATH or named by the environment variable RECON_PROGRAM.
"""

from ._reconstruct import ReconError, Reconstruction, program, reconstruct

__all__ = ["ReconError", "Reconstruction", "program", "reconstruct"]
