"""A simulated scan in a folder of its own, and what the program makes of it."""
import json
import pathlib
import subprocess


class SimulatedCase:
    """Runs of one scan share a cache, as sweeps over methods would pay for Q each time."""

    def __init__(self, recon, threads, folder, *simulated):
        """@param simulated  arguments of recon simulate"""
        self.recon, self.threads, self.folder = recon, str(threads), pathlib.Path(folder)
        self.run("simulate", *simulated, "--out", self.file("scan.h5"), "--truth", self.file("truth.h5"))

    def file(self, name):
        return str(self.folder / name)

    def run(self, *words):
        subprocess.run([self.recon, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def reconstruct(self, *words):
        """@return NRMSE of the image after one complex scale, record of the run"""
        self.run("--device", "cpu", "--threads", self.threads, "--no-accuracy-check", "--quiet", "--scan", self.file("scan.h5"),
                 "--out", self.file("image.h5"), "--json", self.file("run.json"), "--reference", self.file("truth.h5"),
                 "--cache", self.file("cache"), *words)
        record = json.loads((self.folder / "run.json").read_text(encoding="utf-8"))
        return error_of(record["reference"]), record


def error_of(figures):
    return (figures[0] if isinstance(figures, list) else figures)["nrmse_scaled"]
