#!/usr/bin/env python3
"""The README's table of speed, of results made up: a line for each machine, kind of kernels and dtype."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench import speed_region  # noqa: E402


def cpu(name, threads, *speedups):
    rows = [{"op": "relu", "size": "16Mi", "threads": threads, "dtype": "f32", "speedup": s} for s in speedups]
    rows.append({"op": "relu", "size": "64Ki", "threads": 1, "dtype": "f32", "speedup": 99.0})
    return {"machine": {"cpu": name, "date": "1"}, "threads": threads, "torch_peer": rows}


def chains(name, threads, *ratios):
    rows = [{"op": "snake", "size": "16Mi", "dtype": "bf16", "ours_us": 1.0, "compile_us": r} for r in ratios]
    return {"machine": {"cpu": name, "date": "2"}, "threads": threads, "expressions": {"rows": rows}}


def gpu():
    rows = [{"group": "ops", "op": "relu", "dtype": "f32", "ours_us": 1.0, "torch_us": 1.5},
            {"group": "expressions", "op": "snake", "dtype": "f32", "ours_us": 2.0, "torch_us": 5.0, "compile_us": 1.0},
            {"group": "sizes", "op": "relu", "dtype": "f32", "ours_us": 1.0, "torch_us": 99.0}]
    return {"machine": {"gpu": "G"}, "date": "3", "rows": rows}


def rows():
    found = [{"op": "softmax", "dtype": "bf16", "ours_us": 2.0, "torch_us": 4.0, "quack_us": q} for q in (1.0, 4.0)]
    return {"machine": {"gpu": "G"}, "date": "4", "rows": {"rows": [*found, {"op": "lamb", "dtype": "bf16", "skipped": "no memory"}]}}


class Short(unittest.TestCase):
    def test_a_line_for_each_machine_and_kind(self):
        lines = speed_region.short([cpu("A", 2, 4.0, 1.0), chains("A", 16, 0.5, 2.0), gpu(), rows()]).splitlines()
        self.assertEqual(lines[-7:], [
            "| machine | date | kernels | torch eager | torch.compile | QuACK |",
            "|---|---|---|---|---|---|",
            "| A, 16 threads | 2 | expressions, bf16 | - | 1.00x, 1 of 2 below 1.0x | - |",
            "| A, 2 threads | 1 | operators, f32 | 2.00x, 0 of 2 below 1.0x | - | - |",
            "| G | 3 | operators, f32 | 1.50x, 0 of 1 below 1.0x | - | - |",
            "| G | 3 | expressions, f32 | 2.50x, 0 of 1 below 1.0x | 0.50x, 1 of 1 below 1.0x | - |",
            "| G | 4 | rows, bf16 | 2.00x, 0 of 2 below 1.0x | - | 1.00x, 1 of 2 below 1.0x |"])

    def test_nothing_measured(self):
        self.assertEqual(speed_region.short([]), speed_region.NONE)
        self.assertEqual(speed_region.every([], []), speed_region.NONE)


if __name__ == "__main__":
    unittest.main()
