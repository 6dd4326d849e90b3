#!/usr/bin/env python3
"""bench/rows/peer.py from end to end without a GPU and without torch, in three parts that are merged: cases and their times are
made up; what writes the results, the report and the merged result is the real thing."""

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
from bench.common import machine  # noqa: E402
from bench.rows import peer  # noqa: E402


def case(name, rows, columns):
    return types.SimpleNamespace(name=name, dtype="bf16", rows=rows, columns=columns, shape_text=f"{rows}x{columns}",
                                 label=f"{name} bf16 {rows}x{columns}")


CASES = [case("rms_norm", 16384, 4096), case("softmax", 256, 262144), case("sum_all", 16384, 4096), case("mxfp8", 32, 4096),
         case("group_norm", 16384, 4096)]


def measured(one, tools, options):
    if one.name == "mxfp8":
        raise RuntimeError("no memory\nat all")
    assert tools.copy == "copy"
    return {"ours_us": 100.0, "copy_us": 96.0, "percent_of_copy": 96.0, "torch_us": 150.0, "bytes": 1 << 28, "tbs": 2.7, "kernel": "k"}


def fake_modules():
    torch = mock.MagicMock()
    torch.__version__ = "2.11"
    library = types.SimpleNamespace(build_info=lambda: "libtileops 0")
    return {"torch": torch, "bench.rows.cases": types.SimpleNamespace(cases=lambda: CASES),
            "bench.gpu.measure": types.SimpleNamespace(Clock=lambda rounds: types.SimpleNamespace(l2=50 << 20)),
            "bench.common.library": types.SimpleNamespace(Library=lambda *_: library), "bench.rows.copies": types.SimpleNamespace(Copy=lambda path: "copy"),
            "bench.rows.measure": types.SimpleNamespace(measure=measured, Tools=lambda library, copy, *_: types.SimpleNamespace(copy=copy)),
            "bench.rows.peers": types.SimpleNamespace(NAMES={"quack": "QuACK"}, start_flashinfer=lambda packages, folder: "no nvcc",
                                                      Peers=lambda building: types.SimpleNamespace(notes={"quack": "absent"}))}


class DryRun(unittest.TestCase):
    def run_with(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.dict(sys.modules, fake_modules()), mock.patch.object(sys, "argv", ["peer.py", *arguments]), \
             mock.patch.object(machine, "gpu", lambda: ["NVIDIA H100", "580", "80 GiB"]), contextlib.redirect_stdout(out), \
             contextlib.redirect_stderr(err):
            peer.main()
        return out.getvalue(), err.getvalue()

    def test_parts_and_their_merge(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "built.json").write_text('{"commit": "abc", "sources": "other"}')
            parts = [os.path.join(folder, f"rows{k}") for k in (1, 2, 3)]
            for k, part in enumerate(parts, 1):
                _, err = self.run_with("--library", os.path.join(folder, "libtileops.so"), "--part", f"{k}/3", "--jobs", "1", "--output", part)
                self.assertIn("QuACK is left out: absent", err)
            self.run_with("--merge", *[part + ".json" for part in parts], "--output", os.path.join(folder, "all"))
            found = json.loads((pathlib.Path(folder) / "all.json").read_text())
            text = (pathlib.Path(folder) / "all.md").read_text()
        self.assertEqual([(r["op"], r.get("skipped")) for r in found["rows"]["rows"]],
                         [("rms_norm", None), ("softmax", None), ("sum_all", None), ("mxfp8", "no memory"), ("group_norm", None)])
        self.assertEqual((found["machine"]["gpu"], found["commit"], found["sources"], found["parts"]), ("NVIDIA H100", "abc", "other", ["1/3", "2/3", "3/3"]))
        self.assertIn("2 of 4; the reasons", text)  # those of 97 % of the copy; 256 Ki columns and sums reach theirs
        self.assertIn("| mxfp8 | bf16 | 32x4096 | no memory |", text)

    def test_time_that_is_over_and_names(self):
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "rows")
            self.run_with("--library", os.path.join(folder, "libtileops.so"), "--jobs", "1", "--cases", "sum_all,softmax", "--output", output)
            found = json.loads(pathlib.Path(output + ".json").read_text())
            self.assertEqual([r["op"] for r in found["rows"]["rows"]], ["softmax", "sum_all"])
            with self.assertRaises(SystemExit):  # nothing was measured
                self.run_with("--library", os.path.join(folder, "libtileops.so"), "--jobs", "1", "--seconds", "-1", "--output", output)
            found = json.loads(pathlib.Path(output + ".json").read_text())
            self.assertEqual({r["skipped"] for r in found["rows"]["rows"]}, {"-1 s were over (--seconds)"})


if __name__ == "__main__":
    unittest.main()
