#!/usr/bin/env python3
"""The report of rows on GPUs, of results made up: what each row is to reach, what misses it, results of parts as one, and the part
of docs/performance.md."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.common import sources  # noqa: E402
from bench.rows import gpu_report as rows, report  # noqa: E402


def row(number=0, op="rms_norm", shape=(16384, 4096), dtype="bf16", ours=100.0, share=99.0, **more):
    count, columns = shape
    return {"number": number, "op": op, "dtype": dtype, "shape": f"{count}x{columns}", "rows": count, "columns": columns, "ours_us": ours,
            "copy_us": ours * share / 100, "percent_of_copy": share, "bytes": 4 * count * columns, "tbs": 2.9, "kernel": "k", **more}


def result(*found, gpu="NVIDIA H100", **more):
    return {"machine": {"gpu": gpu, "driver": "580", "memory": "80 GiB", "l2": 50 << 20}, "date": "2026-11-26", "commit": "c",
            "sources": sources.kernel_sources(), "library": "l", "torch": "2.11", "peers": {}, "rounds": 9, "parts": ["1/1"], "seconds": 1,
            "rows": {"rows": list(found)}, **more}


class Targets(unittest.TestCase):
    def test_shares_of_the_copy(self):
        for op, shape, wanted in (("rms_norm", (16384, 4096), 97), ("softmax", (1024, 131072), 97), ("softmax", (524288, 128), 95),
                                  ("softmax", (256, 262144), 90), ("cross_entropy", (4096, 128256), 90), ("sum_first", (16384, 4096), 95),
                                  ("sum_all", (1 << 20, 64), 95), ("rms_norm_backward", (131072, 128), 93), ("layer_norm", (65536, 1024), None),
                                  ("rms_norm", (128, 8192), None), ("sum_last", (16384, 4096), 97)):
            self.assertEqual(rows.target(row(op=op, shape=shape)), wanted, (op, shape))

    def test_misses(self):
        self.assertEqual(rows.misses(row(share=97.1, torch_us=99.5)), "")
        self.assertEqual(rows.misses(row(share=96.0)), "96 % of the copy, to reach 97")
        self.assertEqual(rows.misses(row(torch_us=120, quack_us=97.0)), "0.97x QuACK")
        self.assertEqual(rows.misses(row(op="softmax_backward", share=92, compile_us=50.0)), "0.50x torch.compile; 92 % of the copy, to reach 93")
        self.assertEqual(rows.misses(row(shape=(1, 4096), share=40)), "")


class Report(unittest.TestCase):
    def test_all_is_told(self):
        found = result(row(0, share=96.0, torch_us=150.0, liger_us=98.0), row(1, op="softmax", torch_us=130.0, max_note="no time"),
                       {"number": 2, "op": "mxfp8", "dtype": "f32", "shape": "32x4096", "rows": 32, "columns": 4096, "skipped": "no memory"},
                       peers={"quack": "no module"})
        text = rows.markdown(found)
        self.assertIn("| left out | QuACK: no module |", text)
        self.assertIn("1 of 2; the reasons", text)
        self.assertIn("| rms_norm | bf16 | 16384x4096 | 100.0 | 96.0 | Liger | 0.98 | 0.98x Liger; 96 % of the copy, to reach 97 | k |", text)
        self.assertIn("| mxfp8 | f32 | 32x4096 | no memory |", text)
        self.assertIn("| softmax | bf16 | 16384x4096 | max-autotune: no time |", text)
        self.assertNotIn("FlashInfer |", text)  # no row has it

    def test_region(self):
        now = rows.region([(result(row()), "h100")])
        self.assertIn("| [NVIDIA H100](../bench/results/rows/h100.md) | 2026-11-26 | bf16 | other | 1 | 99 | 0 of 1 | - | - |", now)
        self.assertEqual(rows.region([({"device": "of an older form"}, "h200")]), "")
        self.assertEqual(report.region([(result(row()), "h100")]), "")  # that of the CPU

    def test_plots(self):
        found = result(*(row(i, shape=((1 << 26) // n, n), torch_us=110.0) for i, n in enumerate((128, 1024, 4096, 16384))), row(9, op="sum_last"))
        with tempfile.TemporaryDirectory() as folder:
            files = rows.draw(found, str(pathlib.Path(folder) / "rows"))
            if not files:
                print("skipped: plots, there is no matplotlib in this Python")
                return
            self.assertEqual([pathlib.Path(f).name for f in files], ["rows-bf16.png"])
            self.assertGreater(pathlib.Path(files[0]).stat().st_size, 10000)


class Merge(unittest.TestCase):
    def merged(self, *parts):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / f"{i}.json" for i in range(len(parts))]
            for path, part in zip(paths, parts):
                path.write_text(json.dumps(part))
            return rows.merge([str(p) for p in paths])

    def test_rows_in_order_and_the_first_measured(self):
        late = {**row(1), "skipped": "no time"}
        del late["ours_us"]
        one = result(row(0), late, parts=["1/2"], peers={"quack": "absent", "liger": "absent"})
        two = result(row(2), row(1, ours=7.0), row(0, ours=8.0), parts=["2/2"], peers={"quack": "absent"})
        found = self.merged(one, two)
        self.assertEqual([(r["number"], r["ours_us"]) for r in found["rows"]["rows"]], [(0, 100.0), (1, 7.0), (2, 100.0)])
        self.assertEqual((found["parts"], found["seconds"], found["peers"]), (["1/2", "2/2"], 2, {"quack": "absent"}))

    def test_others_are_refused(self):
        for other, said in ((result(gpu="NVIDIA H200"), "GPU is NVIDIA H200, that of 0.json NVIDIA H100"), (result(sources="x"), "sources is x"),
                            (result(commit="d"), "commit is d"), (result(torch="2.12"), "torch is 2.12")):
            with self.assertRaises(SystemExit) as stopped, contextlib.redirect_stderr(io.StringIO()):
                self.merged(result(), other)
            self.assertIn(said, str(stopped.exception))


if __name__ == "__main__":
    unittest.main()
