#!/usr/bin/env python3
"""bench/gpu/run.py from end to end without a GPU: torch, the library and the clock are fakes, the programs are scripts;
what writes rows, host times, the report and the part of docs/performance.md is the real thing."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

GPU_BENCH = """#!/bin/sh
case $1 in
--host) echo '{"host": true, "plain_raw_launch_us": 2.5, "plain_execute_ptrs_us": 2.6, "plain_execute_ptrs_over_us": [0.1, -0.05, 0.2],
 "raw_launch_us": 2.4, "execute_ptrs_us": 2.45, "execute_ptrs_over_us": [0.05, 0.01, 0.1], "execute_us": 2.5,
 "execute_over_us": [0.1, 0.0, 0.2], "plan_create_cached_us": 0.7}' | tr -d '\\n'; echo ;;
--plans) if [ "$TILEOPS_CACHE" = off ]; then echo '{"plans": true, "plan_pack_us": 700.0}'
 else echo '{"plans": true, "plan_compiled_us": 150000.0, "plan_disk_us": 720.0, "nvrtc_empty_us": 31000.0}'; fi ;;
--expressions) compiled='"expr_plan_compiled_us": 60000.0, "expr_compiled": {"(a, b, c) -> a * b - c f32": 60000.0'
 if [ "$TILEOPS_CACHE" = off ]; then echo "{\\"expr_plan_pack_us\\": 400.0, $compiled, \\"snake f32\\": 70000.0}}"
 else echo "{\\"expr_parse_us\\": 5.0, $compiled}}"; fi ;;
esac
"""


class Tensor:
    shape, dtype = (1 << 20,), "float32"

    def numel(self):
        return 1 << 20

    def element_size(self):
        return 4


class Clock:
    """Every round of a runner takes what is given here; a call of torch.compile is two kernels."""
    l2, us = 50 << 20, {"ours": 100.0, "copy": 99.0, "torch": 110.0, "compile": 99.0, "max": 101.0}

    def __init__(self, rounds):
        self.rounds = rounds

    def race(self, runs, rounds=None, count_nodes=False):
        for calls in runs.values():
            calls[0]()
        kernels = {name: {"kernel": 2.0 if name == "compile" else 1.0} for name in runs}
        return {name: [self.us[name]] * self.rounds for name in runs}, kernels


class Plan:
    def __init__(self, moved):
        self.moved = moved

    def bytes_moved(self):
        return self.moved

    def text(self, prop):
        return "gelu<float32>" if prop == 2 else "register_copy"

    def run_on(self, stream):
        pass

    def close(self):
        pass


def fake_modules(moved):
    torch = mock.MagicMock()
    torch.__version__ = "2.0"
    library = types.SimpleNamespace(plan=lambda *a: Plan(moved[a[0]]), build_info=lambda: "libtileops 0")
    peer_library = types.SimpleNamespace(Library=lambda *a: library, ops_of_table=lambda: mock.MagicMock())
    peer_cases = types.SimpleNamespace(NAMES={"float32": "f32"})
    expressions = types.SimpleNamespace(rows=lambda options: [("expressions", 1 << 26, "snake", "f32", lambda: 1 / 0)],
                                        wants_max=lambda *a: False)
    return {"torch": torch, "bench.common.library": peer_library, "bench.operators.cases": peer_cases,
            "bench.expressions.gpu": expressions}


def case(name):
    return types.SimpleNamespace(name=name, op=name.split(":")[0], inputs=[Tensor()], torch=[lambda out: Tensor()], out=None,
                                 attrs={}, exact=False, reads=None)


class DryRun(unittest.TestCase):
    def test_everything_is_written(self):
        rows = [("ops", 1 << 26, "gelu", "float32", lambda: [case("gelu")]),
                ("heavy", 1 << 26, "gelu", "float32", lambda: [case("gelu:transposed")]),
                ("sizes", 1 << 20, "add", "float32", lambda: [case("add")]),
                ("ops", 1 << 26, "exp", "float32", lambda: 1 / 0)]
        def output(*command, **_):
            return "9.0" if "--query-gpu=compute_cap" in command else "NVIDIA H200, 580, 143771 MiB" if command[0] == "nvidia-smi" else "of it"
        with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
            folder = pathlib.Path(name)
            for file, text in (("tileops_gpu_bench", GPU_BENCH), ("tileops_pack", "#!/bin/sh\ntouch \"$4\"\n"), ("libtileops.so", ""),
                               ("libtileops_gpu_copy.so", ""), ("built.json", '{"commit": "abc", "sources": "all", "elements": "other"}')):
                (folder / file).write_text(text)
                (folder / file).chmod(0o755)
            stack.enter_context(mock.patch.dict(sys.modules, fake_modules({"gelu": 1 << 29, "add": 12 << 20})))
            from bench.common import machine
            from bench.gpu import loop, measure, programs, region, run
            copy = types.SimpleNamespace(runners=lambda clock, sets: ([lambda: None], (4, 256, 0), [4, 4]))
            arguments = ["run.py", "--build", name, "--output", str(folder / "out"), "--jobs", "0"]
            for patch in (mock.patch.dict(os.environ), mock.patch.object(sys, "argv", arguments),
                          mock.patch.object(machine, "output", output), mock.patch.object(measure, "Clock", Clock),
                          mock.patch.object(measure, "Copy", lambda path: copy),
                          mock.patch.object(measure, "Cub", lambda path: types.SimpleNamespace(runner=lambda *a: None)),
                          mock.patch.object(measure, "compiled", lambda *a: ((lambda: None), None)),
                          mock.patch.object(loop, "rows_of", lambda options: rows),
                          mock.patch.object(loop, "add_mlx", lambda *a: "not measured"),
                          mock.patch.object(programs, "build_cub", lambda f: (None, "no nvcc on this machine")),
                          contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())):
                stack.enter_context(patch)
            self.assertEqual(run.main(), 0)
            result = json.loads((folder / "out/nvidia-h200.json").read_text())
            report = (folder / "out/nvidia-h200.md").read_text()
            region_text = region.gpu(result, "nvidia-h200")
        self.assertEqual([(r["group"], r["op"], r.get("data")) for r in result["rows"]],
                         [("expressions", "snake", None), ("ops", "gelu", "memory"), ("heavy", "gelu:transposed", "memory"), ("sizes", "add", "L2"),
                          ("sizes", "add", "rotated"), ("ops", "exp", None)])
        self.assertEqual(result["rows"][-1]["skipped"], "division by zero")
        self.assertEqual(result["host"]["plan_pack_us"], 700)
        self.assertEqual(result["host"]["expr_plan_pack_us"], 400)
        self.assertEqual(result["host"]["failed"], ["not in the pack: snake f32"])
        self.assertIn("| gelu | f32 | 0.990x torch.compile, slower in 15 of 15 rounds, p10 to p90 0.990 to 0.990 | 1 / 2 |", report)
        self.assertIn("| ops | gelu | f32 | 1 | 1 | 2 | 1 | - |", report)
        self.assertIn("| thread without a context: execute_ptrs | 2.60 | +0.10 (-0.05 to +0.20) |", report)
        self.assertIn("| exp | f32 | division by zero |", report)
        self.assertIn("| snake | f32 | 64 Mi | division by zero |", report)
        self.assertIn("commit abc, kernel sources other.", region_text)
        self.assertIn("| ops | 1 | 1.10x | 0 of 1 | 1 of 1 | 0 of 1 | 0 of 1 | 0.99x torch.compile: gelu, f32, slower in 15 of 15 rounds", region_text)
        self.assertIn("| sizes rotated | 1 | 1.10x | 0 of 1 | - | - | - |", region_text)
        self.assertIn("| `tileops_execute_ptrs` | 2.60 +0.10 (-0.05 to +0.20) | 2.45 +0.05 (+0.01 to +0.10) |", region_text)
        self.assertIn("one in the pack 700 us, one on disk 720 us, one that NVRTC compiles 150 ms", region_text)


if __name__ == "__main__":
    unittest.main()
