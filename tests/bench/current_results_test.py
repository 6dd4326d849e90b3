#!/usr/bin/env python3
"""The documents show figures of the tree's own kernels alone. The committed results, as though they were of these kernels and as
though they were of others: each region of tools/gen_docs.py has them or has none."""

import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]
import gen_docs  # noqa: E402
from bench.common import sources  # noqa: E402

REGIONS = gen_docs.speed, gen_docs.cpu, gen_docs.gpu, gen_docs.expressions, gen_docs.rows_gpu, gen_docs.rows, gen_docs.model


class Current(unittest.TestCase):
    def results_with(self, folder, hashes):
        """The committed results, in a folder of their own, with these sources, {"gpu": .., "cpu": ..}, or without."""
        for path in sorted((ROOT / "bench/results").rglob("*.json")):
            result = json.loads(path.read_text())
            result.pop("sources", None)
            if sources.device_of(result) in hashes:
                result["sources"] = hashes[sources.device_of(result)]
            copy = pathlib.Path(folder) / path.relative_to(ROOT / "bench/results")
            copy.parent.mkdir(exist_ok=True)
            copy.write_text(json.dumps(result))
        return mock.patch.object(gen_docs, "RESULTS", pathlib.Path(folder))

    def test_results_of_these_kernels_are_shown(self):
        with tempfile.TemporaryDirectory() as folder, \
             self.results_with(folder, {device: sources.kernel_sources(device=device) for device in sources.FOLDERS}):
            for region in REGIONS:
                self.assertRegex(region(), r"(H100|H200|EPYC|Xeon)[^|]*\|?", region.__name__)

    def test_others_are_left_out(self):
        for hashes in ({}, {"gpu": "0123456789abcdef", "cpu": "0123456789abcdef"},
                       {"gpu": sources.kernel_sources(device="cpu"), "cpu": sources.kernel_sources(device="gpu")}):
            with tempfile.TemporaryDirectory() as folder, self.results_with(folder, hashes):
                for region in REGIONS:
                    self.assertEqual(region(), gen_docs.speed_region.NONE, region.__name__)

    def test_a_kernel_that_changes_makes_other_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)

            def hashes(path, text):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
                return sources.kernel_sources(root, "gpu"), sources.kernel_sources(root, "cpu")

            first = hashes("src/cpu/exec/memory_rows.cc", "int a;\n")
            self.assertEqual(hashes("src/cpu/exec/memory_rows.cc", "// Why.\n\nint a;  // what\n"), first)
            on_cpus = hashes("src/cpu/exec/memory_rows.cc", "int b;\n")
            self.assertEqual((on_cpus[0] == first[0], on_cpus[1] == first[1]), (True, False))
            on_gpus = hashes("src/cuda/kernels/rows.h", "int a;\n")
            self.assertEqual((on_gpus[0] == on_cpus[0], on_gpus[1] == on_cpus[1]), (False, True))
            tiles = hashes("include/tileops/device/tile/row.h", "int a;\n")
            self.assertEqual((tiles[0] == on_gpus[0], tiles[1] == on_gpus[1]), (False, True))
            bodies = hashes("include/tileops/device/ops/math.h", "int a;\n")
            self.assertNotIn(bodies[0], tiles)
            self.assertNotIn(bodies[1], tiles)


if __name__ == "__main__":
    unittest.main()
