#!/usr/bin/env python3
"""bench/decoder/peer.py without a GPU and without torch: what is measured is made up; what writes the result and the table of it is the
real thing."""

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


def row(name, tokens, capacity, options, clock):
    return {"case": name, "tokens": tokens, "capacity": capacity, "difference": 0.0213, "plans": 12, "kernels": 14, "products": 6, "bytes": 5 << 20,
            "notes": {"eager, sdpa": "does not go into a graph"} if name == "one" else {}, "nodes": {},
            "us": {"ours": 61.25, "compile": 74.5, "eager": 310.0}}


class Decoder(unittest.TestCase):
    def test_result_and_table(self):
        torch = mock.MagicMock()
        torch.__version__ = "2.11"
        torch.cuda.is_available = lambda: True
        modules = {"torch": torch, "torch.nn": mock.MagicMock(), "torch.nn.functional": mock.MagicMock(),
                   "bench.gpu.measure": types.SimpleNamespace(Clock=lambda rounds: None)}
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(sys.modules, modules):
            from bench.decoder import peer
            os.mkdir(os.path.join(folder, "bench"))
            (pathlib.Path(folder) / "built.json").write_text('{"commit": "abc", "sources": "of it"}')
            output = os.path.join(folder, "decoder")
            arguments = ["peer.py", "--library", os.path.join(folder, "bench", "libtileops_decoder.so"), "--output", output]
            with mock.patch.object(sys, "argv", arguments), mock.patch.object(peer, "measure", row), mock.patch.dict(os.environ), \
                 mock.patch.object(machine, "gpu", lambda: ["NVIDIA H100", "580", "80 GiB"]), contextlib.redirect_stdout(io.StringIO()):
                peer.main()
            found, text = json.loads(pathlib.Path(output + ".json").read_text()), pathlib.Path(output + ".md").read_text()
        self.assertEqual([r["case"] for r in found["rows"]], ["prompt", "few", "one"])
        self.assertEqual((found["machine"]["gpu"], found["commit"], found["sources"]), ("NVIDIA H100", "abc", "of it"))
        self.assertIn("on NVIDIA H100, torch", text)
        self.assertIn("| one | 1 | 4096 | 14 | 5.2 | 61.2 | - | - | 74.5 | - | 310.0 | - | 0.021 |", text)
        self.assertIn("one, eager, sdpa: does not go into a graph.", text)


if __name__ == "__main__":
    unittest.main()
