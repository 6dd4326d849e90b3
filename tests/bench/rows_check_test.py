#!/usr/bin/env python3
"""The cases of the GPU benchmark of rows against torch, on the CPU: rows_check_test.py LIBRARY. Each text parses, has torch's results and
agrees with them (bench/rows/peer.py --check); and what measures a case does so with a clock and a copy that are stand-ins. Exit status
77: skipped, where this Python has no torch."""

import contextlib
import dataclasses
import io
import pathlib
import subprocess
import sys
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
LIBRARY = sys.argv.pop()


class Clock:
    """Each runner takes a microsecond more than the one before; calls of "compile" do not go into a graph."""

    l2 = 1 << 20

    def race(self, runs, rounds=None, count_nodes=False):
        for calls in runs.values():
            for call in calls:
                call()
        return {name: [10.0 + i] * 3 for i, name in enumerate(runs)}, {name: {"kernel": 1.0} for name in runs if name != "compile"}


class Check(unittest.TestCase):
    def test_every_case_agrees_with_torch(self):
        done = subprocess.run([sys.executable, str(ROOT / "bench/rows/peer.py"), "--check", "--library", LIBRARY], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(", 0 failed", done.stdout)

    def test_a_wrong_text_is_told(self):
        from bench.rows import cases as rows_cases, peer
        wrong = dataclasses.replace(rows_cases.cases()[0], text="(x, w; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps)")
        out = io.StringIO()
        options = types.SimpleNamespace(part="1/1", cases="", shapes="", library=LIBRARY)
        with mock.patch.object(rows_cases, "cases", lambda: [wrong]), contextlib.redirect_stdout(out):
            self.assertFalse(peer.check(options))
        self.assertIn("results differ from torch's by", out.getvalue())


class Measure(unittest.TestCase):
    def measured(self, name, dtype="bf16"):
        from bench.common import library as peer_library
        from bench.rows import cases as rows_cases, copies, measure

        class Copy(copies.Copy):
            def __init__(self):
                self.best, self.calls = {}, 0

            def call(self, *_):
                self.calls += 1
                return 0

        class Peers:
            def of(self, case):
                return {"quack": lambda tensors: lambda: case.torch(*tensors),
                        "liger": lambda tensors: lambda: tuple(t * 2 for t in measure.tuple_of(case.torch(*tensors)))}

        case = next(c for c in rows_cases.cases() if (c.name, c.dtype) == (name, dtype)).small()
        make = case.tensors
        case.tensors = lambda _device: make("cpu")
        tools = measure.Tools(peer_library.Library(LIBRARY, 1), Copy(), Clock(), Peers(), 6)
        with mock.patch("torch.cuda.synchronize"), mock.patch("torch.cuda.current_stream", lambda: types.SimpleNamespace(cuda_stream=0)), \
             mock.patch("bench.gpu.measure.compiled_function", lambda function, *tensors, mode=None: (function, None)):
            row = measure.measure(case, tools, types.SimpleNamespace(compile=True, max_autotune=False))
        self.assertGreater(tools.copy.calls, 0)
        return row

    def test_a_norm(self):
        row = self.measured("rms_norm")
        self.assertEqual((row["bytes_read"], row["bytes_written"], row["copy_read"], row["copy_written"]), (57344, 49152, 49152, 49152))
        self.assertAlmostEqual(row["copy_us"], 11.0 * row["bytes"] / 98304)
        self.assertAlmostEqual(row["percent_of_copy"], 10 * row["copy_us"])
        self.assertEqual((row["ours_us"], row["torch_us"], row["quack_us"], row["sets"], row["data"]), (10.0, 12.0, 14.0, 6, "L2"))
        self.assertIn("its results differ from torch's by", row["liger_note"])
        self.assertNotIn("liger_us", row)
        self.assertIn("does not go into a graph", row["compile_note"])

    def test_a_sum_is_beside_a_read(self):
        row = self.measured("sum_all")
        self.assertEqual((row["bytes_written"], row["copy_read"], row["copy_written"]), (2, 49152, 768))

    def test_codes_and_what_they_are_of(self):
        row = self.measured("silu_mul_group128_fp8")
        self.assertEqual((row["copy_read"], row["copy_written"]), (98304, 24576))


if __name__ == "__main__":
    try:
        import torch  # noqa: F401
    except ImportError:
        print("skipped: there is no torch in this Python")
        sys.exit(77)
    unittest.main()
