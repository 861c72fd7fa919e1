"""How runs end and what they tell: python3 test_run.py, with RECON_PROGRAM; exit code 77 without NumPy."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock
import warnings

try:
    import numpy as np
except ImportError:
    print("skipped: no NumPy")
    sys.exit(77)

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "app", "python"))
import recon  # noqa: E402
from simulated import PLAIN, problem  # noqa: E402


class Progress(unittest.TestCase):
    def test_is_told_after_each_iteration(self):
        _, _, k, kspace = problem()
        told = []
        result = recon.reconstruct(kspace, k, matrix=12, progress=lambda *done: told.append(done), **PLAIN)
        self.assertEqual([iteration for _, iteration, _, _ in told], list(range(1, result.record["iterations"] + 1)))
        np.testing.assert_allclose([residual for *_, residual in told], result.record["residuals"], rtol=1e-3)
        with self.assertRaises(ZeroDivisionError):  # the program is ended
            recon.reconstruct(kspace, k, matrix=12, progress=lambda *done: 1 / 0, **PLAIN)


class Warnings(unittest.TestCase):
    words = "no say here"

    def given(self, **options):
        _, maps, k, kspace = problem()
        return recon.reconstruct(kspace, k, matrix=(12, 10), coil_maps=maps[:, None], density_weights=np.ones(420), weights="density",
                                 **{**PLAIN, "prior": "scan", **options})

    def test_are_pythons_at_the_line_that_calls(self):
        with self.assertWarnsRegex(recon.ReconWarning, f"^--weights density has {self.words}") as told:
            result = self.given()
        self.assertEqual(told.filename, __file__)
        self.assertIn(self.words, result.log)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with self.assertRaisesRegex(recon.ReconWarning, self.words):
                self.given()

    def test_are_shown_once_beside_the_log(self):
        with unittest.mock.patch("sys.stderr") as stderr, self.assertWarnsRegex(recon.ReconWarning, self.words):
            self.given(verbose=True)
        shown = "".join(call.args[0] for call in stderr.write.call_args_list)
        self.assertIn("backend: CPU", shown)
        self.assertNotIn(self.words, shown)
        self.assertNotIn(tempfile.gettempdir(), shown)

    def test_nothing_is_said_where_all_is_well(self):
        _, maps, k, kspace = problem()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            recon.reconstruct(kspace, k, matrix=(12, 10), coil_maps=maps[:, None], **PLAIN)


class Programs(unittest.TestCase):
    def refusal(self, program):
        """The error where this is the program."""
        _, _, k, kspace = problem()
        with unittest.mock.patch.dict(os.environ, RECON_PROGRAM=str(program)), self.assertRaises(recon.ReconError) as refused:
            recon.reconstruct(kspace, k, matrix=12)
        self.assertNotIn("\n", str(refused.exception))
        return refused.exception

    def ended_by(self, line):
        """The error of a program that does no more than this line of a shell."""
        with tempfile.TemporaryDirectory() as folder:
            mortal = pathlib.Path(folder) / "recon"
            mortal.write_text(f"{line}\n")
            mortal.chmod(0o755)
            return self.refusal(mortal)

    def test_that_are_killed_are_told(self):
        error = self.ended_by("#!/bin/sh\nkill -KILL $$")
        self.assertRegex(str(error), "ended by SIGKILL.*memory")
        self.assertEqual(error.code, -signal.SIGKILL)

    def test_that_say_nothing_are_told(self):
        error = self.ended_by("#!/bin/sh\nexit 9")
        self.assertRegex(str(error), "recon ended with exit code 9, without a word")
        self.assertEqual(error.code, 9)

    def test_that_are_none_are_told(self):
        for named in ("/nowhere/recon", tempfile.gettempdir(), __file__ + "x"):
            self.assertEqual(str(self.refusal(named)), f"RECON_PROGRAM names {named}, where there is no program; set it to where recon is")
        self.assertRegex(str(self.ended_by("no program of this machine")), "cannot be started: Exec format error; set RECON_PROGRAM")
        self.assertRegex(str(self.refusal("/bin/true")), "true lists no options, expected the program recon")


class ControlC(unittest.TestCase):
    """Sent to the whole group, as a terminal does, and to Python alone, as notebooks do."""

    iterating = ("import sys; sys.path.insert(0, {path!r}); import numpy as np, recon, signal\n"
                 "signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background ignores\n"
                 "k = np.random.default_rng(1).uniform(-200, 200, (40000, 2))\n"
                 "def progress(solution, iteration, *rest):\n"
                 "    if iteration == 5: print('five', flush=True)\n"
                 "def work():\n"
                 "    recon.reconstruct(np.ones((8, 40000), complex), k, matrix=400, coil_maps='walsh', iterations=100000, stop=0,\n"
                 "                      progress=progress, verbose=True, **{options!r})\n")

    def ended(self, send, options, rest="try:\n    work()\nexcept KeyboardInterrupt:\n    sys.exit(42)\n"):
        """The exit code of a Python that was sent the signal after five iterations, and what it wrote."""
        code = self.iterating.format(path=sys.path[0], options={**PLAIN, **options}) + rest
        process = subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        drained = threading.Thread(target=process.stderr.read)
        drained.start()
        self.assertEqual(process.stdout.readline(), "five\n")
        send(process.pid, signal.SIGINT)
        written = process.stdout.read()
        drained.join()
        for stream in (process.stdout, process.stderr):
            stream.close()
        return process.wait(timeout=60), written

    def test_is_a_keyboard_interrupt_when_the_program_has_ended(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for send in (os.killpg, os.kill):
                files = [folder / f"{send.__name__}-{kind}.h5" for kind in ("checkpoint", "image")]
                options = dict(checkpoint=str(files[0]), keep_partial=True, out=str(files[1]))
                self.assertEqual(self.ended(send, options)[0], 42)
                for file in files:
                    self.assertTrue(file.exists(), file)

    def test_reaches_programs_of_threads(self):
        with tempfile.TemporaryDirectory() as name:
            checkpoint = pathlib.Path(name) / "checkpoint.h5"
            in_a_thread = ("import threading\n"
                           "done = threading.Event()\n"
                           "def told():\n"
                           "    try: work()\n"
                           "    except recon.ReconError as error: print(error.code)\n"
                           "    done.set()\n"
                           "threading.Thread(target=told).start()\n"
                           "try: done.wait()\n"
                           "except KeyboardInterrupt: done.wait()\n")
            code, written = self.ended(os.killpg, dict(checkpoint=str(checkpoint)), in_a_thread)
            self.assertEqual((code, written), (0, "130\n"))
            self.assertTrue(checkpoint.exists())

    def test_a_second_one_kills(self):
        with tempfile.TemporaryDirectory() as name:
            deaf = pathlib.Path(name) / "recon"
            deaf.write_text("#!/bin/sh\n[ $1 = manual ] && exec \"$REAL\" \"$@\"\ntrap '' INT\necho 'I 0 on' >&2\nexec sleep 600\n")
            deaf.chmod(0o755)
            code = ("import sys; sys.path.insert(0, %r); import numpy as np, recon, signal\n"
                    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                    "recon.reconstruct(np.ones((1, 20), complex), np.ones((20, 2)), matrix=4, verbose=True)\n" % sys.path[0])
            process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True,
                                       env={**os.environ, "RECON_PROGRAM": str(deaf), "REAL": recon.program()})
            self.addCleanup(process.kill)
            self.addCleanup(process.stderr.close)
            self.assertEqual(process.stderr.readline(), "I 0 on\n")
            process.send_signal(signal.SIGINT)
            with self.assertRaises(subprocess.TimeoutExpired):
                process.wait(timeout=1)
            process.send_signal(signal.SIGINT)
            self.assertTrue(process.stderr.read().endswith("KeyboardInterrupt\n"))
            self.assertNotEqual(process.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
