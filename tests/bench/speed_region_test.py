#!/usr/bin/env python3
"""The README's table of speed, of results made up: a line for each machine, by all its instructions where they were
measured; dates of all that it tells; what was measured with other kernels says so."""

import pathlib
import sys
import unittest

BENCH = pathlib.Path(__file__).resolve().parents[2] / "bench"
sys.path[:0] = [str(BENCH / "gpu"), str(BENCH)]
import region  # noqa: E402
import sources  # noqa: E402
import speed_region  # noqa: E402


def cpu(name, threads, date, *speedups):
    rows = [{"op": "relu", "size": "16Mi", "threads": threads, "dtype": "f32", "speedup": s} for s in speedups]
    return {"machine": {"cpu": name, "date": date}, "threads": threads, "torch_peer": rows}


def chains(name, threads, date, *ratios):
    rows = [{"op": "snake", "size": "16Mi", "dtype": "bf16", "ours_us": 1.0, "compile_us": r} for r in ratios]
    return {"machine": {"cpu": name, "date": date}, "threads": threads, "expressions": {"rows": rows}}


def gpu(**more):
    row = {"group": "ops", "op": "relu", "dtype": "f32", "ours_us": 1.0, "torch_us": 1.5}
    return {"machine": {"gpu": "G"}, "date": "d", "elements": 1 << 26, "sources": sources.kernel_sources(), "rows": [row], **more}


class Short(unittest.TestCase):
    def test_a_line_for_each_machine(self):
        results = [cpu("A", 2, "1", 2.0), cpu("A", 16, "2", 4.0, 1.0), cpu("A, AVX2 alone", 2, "3", 3.0),
                   cpu("B, AVX2 alone", 2, "4", 0.5), chains("A", 16, "5", 0.9), chains("A", 2, "6", 9.0)]
        lines = speed_region.short(results, [gpu()]).splitlines()
        self.assertEqual(lines[-3:], [
            "| G | d | - | 1.50x, 0 of 1 below 1.0x | - | - |",
            "| A, 16 threads | 2, 5 | - | 2.00x, 0 of 2 below 1.0x | 0.90x, 1 of 1 below 1.0x | - |",
            "| B, AVX2 alone, 2 threads | 4 | - | 0.50x, 1 of 1 below 1.0x | - | - |"])

    def test_other_kernels_are_said_in_a_line_of_its_own(self):
        now, other = (speed_region.short([], [gpu(**more)]) for more in ({}, {"sources": "other"}))
        self.assertNotIn(region.STALE, now)
        self.assertIn(region.STALE, other)
        self.assertEqual(region.drop_stale(other), now)

    def test_nothing_measured(self):
        self.assertEqual(speed_region.short([], []), speed_region.NONE)
        self.assertEqual(speed_region.every([], []), speed_region.NONE)


if __name__ == "__main__":
    unittest.main()
