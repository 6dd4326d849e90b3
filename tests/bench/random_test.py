#!/usr/bin/env python3
"""The random benchmark without a clock: random_test.py [LIBRARY]. Its cases, its report, and, where this Python has torch, what
results are compared with: torch's are within the bounds, those that are a little off are not, and with LIBRARY the library's are."""

import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from bench.random import fixed, reading, report, texts  # noqa: E402

LIBRARY = str(pathlib.Path(sys.argv.pop()).resolve()) if len(sys.argv) > 1 else None
KiB = 1 << 10
try:
    import torch
except ImportError:
    torch = None


def small(count, seed=5):
    return fixed.cases(1 << 10) + list(texts.cases(seed, count, KiB, 64 * KiB))


class Cases(unittest.TestCase):
    def test_a_case_is_of_its_seed_and_number_alone(self):
        many = [str(c) for c in texts.cases(3, 40)]
        self.assertEqual([str(c) for c in texts.cases(3, 7)], many[:7])
        self.assertEqual(len(set(many)), 40)
        self.assertFalse(set(many) & {str(c) for c in texts.cases(4, 40)})

    def test_sizes_and_operands(self):
        for case in texts.cases(6, 200, KiB, 64 * KiB):
            self.assertLessEqual(case.operands[0].bytes, 64 * KiB, case)
            self.assertTrue(all(n >= 1 for o in case.operands for n in o.shape), case)
            names, statements, results = reading.python_of(case.text)
            self.assertEqual(names, [o.name for o in case.operands])
            self.assertTrue(statements and results, case)
            for o in case.operands:
                self.assertIn(o.name, texts.words(" ".join(statements)), case)
                self.assertTrue(o.below == 0 or o.name == "i", case)

    def test_all_that_there_is_comes(self):
        told = " ".join(map(str, texts.cases(1, 400)))
        for word in ("gather(t", "argmax", "cumsum", "logsumexp", "correction = 1", "axis = all", "axis = (", "where(y", "u8", "bool", "i64", "50257"):
            self.assertIn(word, told)

    def test_a_text_is_a_function(self):
        source = reading.function_of("(x, y) -> { a = x + y; where(a > -inf, a, 0), sum(a, axis = all) }")
        self.assertEqual(source, "def text(x, y):\n    a = x + y\n    return (where(a > -INF, a, 0), sum(a, axis = None),)\n")


class Report(unittest.TestCase):
    def rows(self):
        rows = [{"name": f"r{i:03d}", "text": "t", "operands": "x", "of_roofline": (i + 1) / 20, "over_compile": 2 - i / 10, "first_s": 0.1 * i,
                 "ours_us": 1.0, "ulp": 0.5, "bound": 1.0, "share": 0.5, "torch_share": 1.5 if i == 3 else 0.1} for i in range(20)]
        return {"rows": rows + [{"name": "gone", "text": "t", "operands": "x", "skipped": "no memory"}], "seed": 17, "of": "", "machine": "m", "date": "d",
                "commit": "c", "library": "l", "torch": "t"}

    def test_summary_and_the_worst(self):
        lines = {line["what"]: line["value"] for line in report.summary(self.rows())}
        self.assertEqual(lines["median of the roofline"], "0.53")
        self.assertEqual(lines["fifth percentile of the roofline"], "0.10")
        self.assertEqual(lines["below 0.8 of torch.compile"], "7 of 20")
        self.assertEqual(lines["results of torch beyond it"], "1")
        self.assertEqual(lines["not measured"], "1")
        self.assertEqual([r["name"] for r in report.worst(self.rows(), "over_compile")][:2], ["r019", "r018"])
        text = report.markdown(self.rows())
        self.assertIn("--seed 17", text)
        self.assertIn("no memory", text)


@unittest.skipIf(torch is None, "there is no torch in this Python")
class Compared(unittest.TestCase):
    def of_torch(self, case, dtype):
        from bench.random import torch_functions
        from bench.random.compared import Expected

        tensors = torch_functions.tensors(case, 1)
        results = reading.python_of(case.text)[2]
        cast = [next((torch_functions.DTYPES[d] for d in reading.DTYPES if r.endswith(f", {d})")), dtype) for r in results]
        dtypes = [torch.int64 if "argm" in r else d for r, d in zip(results, cast)]
        return Expected(case, tensors, dtypes), torch_functions.function(case, dtypes)(*tensors)

    def test_torch_is_within_the_bounds(self):
        beyond = 0
        for case in small(60):
            expected, results = self.of_torch(case, torch.float32)
            beyond += expected.compare(results).share > 1
        self.assertLessEqual(beyond, 1)  # its gelu is worse than 2 ulp far out

    def test_what_is_a_little_off_is_told(self):
        for text, dtype in (("(x) -> exp(x)", torch.float32), ("(x) -> sum(exp(x))", torch.float32), ("(x) -> mean(x * x)", torch.bfloat16)):
            case = texts.Case("one", text, [texts.Operand("x", "f32", (40, 50))])
            expected, results = self.of_torch(case, dtype)
            self.assertLessEqual(expected.compare(results).share, 1, text)
            off = tuple((r.double() * (1 + (1e-5 if dtype == torch.float32 else 0.02))).to(dtype) for r in results)
            self.assertGreater(expected.compare(off).share, 1, text)

    def test_a_wrong_index_is_told(self):
        case = texts.Case("one", "(x) -> argmax(x)", [texts.Operand("x", "f32", (40, 50))])
        expected, (found,) = self.of_torch(case, torch.float32)
        self.assertEqual(expected.compare((found,)).share, 0)
        self.assertGreater(expected.compare(((found + 1) % 50,)).share, 1)

    def test_infinity_is_allowed_where_the_dtype_ends(self):
        case = texts.Case("one", "(x) -> sum(x * x * 8000)", [texts.Operand("x", "f32", (4, 50))])
        expected, results = self.of_torch(case, torch.float16)
        self.assertTrue(results[0].isinf().all())
        self.assertEqual(expected.compare(results).share, 0)

    @unittest.skipIf(LIBRARY is None, "no library was named")
    def test_the_library_is_within_the_bounds(self):
        from bench.common import library as peer_library
        from bench.expressions.library import Expression
        from bench.random import torch_functions
        from bench.random.compared import Expected

        library = peer_library.Library(LIBRARY, 1)
        for case in small(120):
            tensors = torch_functions.tensors(case, 2)
            expression = Expression(library, case.text)
            results = expression.results(tensors)
            expression.plan(tensors, results).close()
            expression.close()
            found = Expected(case, tensors, [r.dtype for r in results]).compare(results)
            self.assertLessEqual(found.share, 1, f"{case}: {found}")


@unittest.skipIf(torch is None or LIBRARY is None, "there is no torch in this Python, or no library was named")
class Program(unittest.TestCase):
    def test_writes_its_report(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "bench.random", "--library", LIBRARY, "--seed", "7", "--count", "2", "--only", "r000,r001", "--least", "0.01",
                       "--most", "0.1", "--no-compile", "--seconds", "0.01", "--output", f"{folder}/found"]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            found = json.loads(pathlib.Path(folder, "found.json").read_text(encoding="utf-8"))
            self.assertEqual((found["seed"], [r["name"] for r in found["rows"]]), (7, ["r000", "r001"]))
            self.assertTrue(all(r["ours_us"] > 0 for r in found["rows"]), found)
            self.assertIn("--seed 7", pathlib.Path(folder, "found.md").read_text(encoding="utf-8"))


class Clock:
    """In the place of a GPU's: each runner takes a microsecond more than the one before."""

    l2 = 1 << 20

    def race(self, runs, rounds=None, count_nodes=False):
        for calls in runs.values():
            for call in calls:
                call()
        return {name: [10.0 + i] * 3 for i, name in enumerate(runs)}, {}


@unittest.skipIf(torch is None or LIBRARY is None, "there is no torch in this Python, or no library was named")
class Measured(unittest.TestCase):
    def row(self, text, on_gpu):
        from bench.common import library as peer_library
        from bench.random import measure
        from bench.rows import copies

        class Copy(copies.Copy):
            def __init__(self):
                self.best = {}

            def call(self, *_):
                return 0

        case = texts.Case("one", text, [texts.Operand("x", "bf16", (64, 1024))])
        machine = measure.Machine("cpu", peer_library.Library(LIBRARY, 1), 1, 1e9, 0.01, peer_library.CopyLoop(None))
        if on_gpu:
            machine.copy, machine.clock = Copy(), Clock()
        with mock.patch("torch.cuda.synchronize"), mock.patch("torch.cuda.current_stream", lambda: types.SimpleNamespace(cuda_stream=0)):
            return measure.measure(machine, case, 1, False)

    def test_of_a_gpu(self):
        row = self.row("(x) -> x - amax(x)", True)
        self.assertEqual((row["ours_us"], row["torch_us"], row["copy_us"], row["bytes"]), (10, 11, 12, 4 * 65536))
        self.assertEqual(row["floor_us"], 2 * 65536 / 1e9 * 1e6)  # of an extreme and a difference
        self.assertEqual(row["of_roofline"], row["floor_us"] / 10)
        self.assertLessEqual(row["share"], 1)

    def test_of_a_cpu(self):
        row = self.row("(x) -> sum(x)", False)
        self.assertGreater(row["ours_us"], 0)
        self.assertNotIn("copy_us", row)

    def test_a_wrong_result_is_not_timed(self):
        with mock.patch.dict("bench.random.bounds.ALGEBRA", {"amax": lambda x, axis=-1: x.made(1.01 * x.value.amax(-1, keepdim=True), 0, "amax", 1)}):
            with self.assertRaisesRegex(RuntimeError, "the result is wrong"):
                self.row("(x) -> amax(x)", True)


if __name__ == "__main__":
    unittest.main()
