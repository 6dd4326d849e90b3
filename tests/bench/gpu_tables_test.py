#!/usr/bin/env python3
"""The report of the GPU benchmark on a few rows made up: what is slower by little counts as slower, with its spread beside
it; runs are merged."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.common import sources  # noqa: E402
from bench.gpu import reasons, region, report, run, tables  # noqa: E402


def row(op, torch_us, copy_us=100.0, **more):
    ratio = torch_us / 100
    pair = {"slower": 9 if ratio < 1 else 0, "rounds": 15, "p10": ratio - 0.01, "p50": ratio, "p90": ratio + 0.01}
    return {"group": "ops", "op": op, "dtype": "f32", "size": 1 << 26, "ours_us": 100.0, "torch_us": torch_us, "copy_us": copy_us,
            "share": copy_us / 100, "tbs": 4.0, "bytes": 1 << 29, "kernel": "k", "traffic": [4, 4], "pairs": {"torch": pair}, **more}


def result(rows, **more):
    return {"machine": {"gpu": "G", "driver": "1", "memory": "2", "cpu": "C", "cores": 4}, "date": "d", "commit": "c",
            "sources": sources.kernel_sources(), "arguments": "", "library": "l", "torch": "t", "cub_note": None, "elements": 1 << 26,
            "seconds": 1, "host": {}, "rows": rows, **more}


class Tables(unittest.TestCase):
    def test_a_little_below_counts_as_below(self):
        data = result([row("relu", 99.5), row("exp", 100.0), row("add", 150.0)])
        self.assertEqual([(line[1], line[2], line[4]) for line in tables.peer_lines(data)], [("torch eager", 3, 1)])
        missed = tables.misses(data)
        self.assertEqual([(r["op"], text) for r, text, *_ in missed],
                         [("relu", "0.995x torch eager, slower in 9 of 15 rounds, p10 to p90 0.985 to 1.005")])

    def test_share_of_the_copy_without_a_margin(self):
        self.assertEqual(len(tables.misses(result([row("relu", 120, 96.5)]))), 1)
        self.assertEqual(tables.misses(result([row("relu", 120, 97.0)])), [])

    def test_rotated_rows_stand_apart(self):
        lines = tables.peer_lines(result([row("relu", 120), row("relu", 90, data="rotated")]))
        self.assertEqual([(line[0], line[4]) for line in lines], [("ops", 0), ("ops rotated", 1)])

    def test_spread_of_the_same_copy(self):
        data = result([row(f"op{i}", 200, 100.0 + i) for i in range(11)])
        self.assertEqual(tables.copy_spread(data), (11, 8 / 105))

    def test_within_the_spread_only_where_the_rounds_say_so(self):
        def relu(slower, p90, **more):
            return row("relu", 99.5, pairs={"torch": {"slower": slower, "rounds": 15, "p10": 0.98, "p50": 0.995, "p90": p90}}, **more)
        self.assertEqual(reasons.reason(relu(9, 1.01), "torch", 1.0), "within the spread between rounds")
        self.assertEqual(reasons.reason(relu(9, 0.999), "torch", 1.0), "not looked into")
        self.assertEqual(reasons.reason(relu(14, 1.01), "torch", 1.0), "not looked into")
        self.assertEqual(reasons.reason(relu(9, 1.01), "copy", 0.97), "not looked into")  # its rounds were not recorded
        without = relu(9, 1.01)
        del without["pairs"]
        self.assertEqual(reasons.reason(without, "torch", 1.0), "not looked into")

    def test_reasons_of_heavy_and_rotated_rows(self):
        heavy = row("gelu:transposed", 120, 80, group="heavy")
        self.assertIn("shared memory", reasons.reason(heavy, "copy", 0.93))
        small = row("relu", 90, group="sizes", data="rotated")
        self.assertEqual(reasons.reason(small, "torch", 1.0), "not looked into")
        self.assertIn("device's memory", reasons.reason({**small, "ours_us": 3.0}, "torch", 1.0))

    def test_kernels_of_a_call(self):
        one = row("relu", 120, nodes={"ours": {"kernel": 1.0}, "torch": {"kernel": 1.0}})
        two = row("gelu", 90, nodes={"ours": {"kernel": 1.0}, "torch": {"kernel": 2.0, "memset": 1.0}})
        text = report.markdown(result([one, two]))
        self.assertIn("| ops | gelu | f32 | 1 | 2 + 1 memset | - | - | - |", text)
        self.assertNotIn("| ops | relu", text)
        self.assertIn("| 1 / 2 + 1 memset |", text)
        self.assertNotIn("Kernels of a call", report.markdown(result([row("relu", 120)])))

    def test_region(self):
        self.assertIn("0.99x torch eager: relu, f32, slower in 9 of 15 rounds", region.gpu(result([row("relu", 99.5)]), "g"))

    def test_merge_takes_what_was_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            left = {"group": "ops", "op": "exp", "dtype": "f32", "size": 1 << 26, "skipped": "out of time (--budget)"}
            files = []
            for i, rows in enumerate(([row("relu", 120), left], [row("exp", 130), row("relu", 140)])):
                files.append(pathlib.Path(folder) / f"{i}.json")
                files[-1].write_text(json.dumps(result(rows)))
            merged = run.merge(files)
            self.assertEqual([(r["op"], r.get("torch_us")) for r in merged["rows"]], [("relu", 120), ("exp", 130)])
            self.assertEqual(merged["seconds"], 2)
            files[1].write_text(json.dumps(result([row("exp", 130)], sources="other")))
            with self.assertRaises(SystemExit):
                run.merge(files)


if __name__ == "__main__":
    unittest.main()
