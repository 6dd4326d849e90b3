#!/usr/bin/env python3
"""The decoder block of demo/model beside the same block in torch (bench/decoder/block.py), eager and by torch.compile: in one
process on one GPU, in turn, each captured into a CUDA graph, on the same weights. Writes OUTPUT.json, and a table beside it:

    bench/decoder/peer.py --library build/release/bench/libtileops_decoder.so --output decoder

Its cuBLAS is the one that torch brings (demo/model/find_blas.py)."""

import argparse
import ctypes as c
import datetime
import functools
import json
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "demo/model")]
import find_blas  # noqa: E402

try:
    import torch
except ImportError:
    print("bench/decoder/peer.py: skipped, there is no torch in this Python")
    sys.exit(0)

from bench.common import machine  # noqa: E402
from bench.common.library import DLTensor  # noqa: E402
from bench.decoder import report  # noqa: E402
from bench.decoder.block import Block  # noqa: E402
from bench.decoder.report import MODEL, ROUNDS  # noqa: E402
from bench.gpu import measure as timing  # noqa: E402
from bench.rows import peer as rows_peer  # noqa: E402

START = time.monotonic()
TEXTS, PRODUCTS = 1, 2
# A prompt, some tokens on top of a full cache, and one.
CASES = [("prompt", 2048, 2048), ("few", 64, 4096), ("one", 1, 4096)]


class Shape(c.Structure):
    _fields_ = [(name, c.c_int64) for name in ("tokens", "capacity", "width", "heads", "cache_heads", "head_dim", "hidden")]


class Cost(c.Structure):
    _fields_ = [("plans", c.c_int), ("passes", c.c_int), ("products", c.c_int), ("bytes", c.c_uint64)]


class Memory:
    """Device memory of the library, for torch.as_tensor."""

    def __init__(self, t):
        shape = [t.shape[d] for d in range(t.ndim)]
        shape[-1] *= t.dtype.bits // 8
        self.__cuda_array_interface__ = {"shape": tuple(shape), "typestr": "|u1", "data": (t.data + t.byte_offset, False), "version": 3}


class Ours:
    def __init__(self, path, shape):
        self.c = c.CDLL(path)
        self.c.decoder_library_open.restype = c.c_void_p
        self.c.decoder_library_tensor.restype = c.POINTER(DLTensor)
        self.handle = c.c_void_p(self.c.decoder_library_open(b"cuda:0", c.byref(shape)))
        self.cost = Cost()
        self.c.decoder_library_cost(self.handle, c.byref(self.cost))

    def tensor(self, name):
        t = self.c.decoder_library_tensor(self.handle, name.encode()).contents
        dtype = {(2, 32): torch.float32, (4, 16): torch.bfloat16, (10, 8): torch.float8_e4m3fn, (0, 64): torch.int64}
        return torch.as_tensor(Memory(t), device="cuda").view(dtype[t.dtype.code, t.dtype.bits])

    def place(self, past):
        self.c.decoder_library_place(self.handle, c.c_int64(past))

    def run(self, kinds):
        self.c.decoder_library_run(self.handle, kinds, c.c_void_p(torch.cuda.current_stream().cuda_stream))

    def close(self):
        self.c.decoder_library_close(self.handle)


WEIGHTS = ("norm", "query_norm", "key_norm", "mlp_norm", "cos", "sin", "qkv", "qkv_s", "out", "out_s", "gate_up", "gate_up_s",
           "down", "down_s")


def filled(ours, blocks, shape, past):
    """The same tokens before, for all: the cache is full up to where the timed ones stand. Returns x and pos of those."""
    x, pos = ours.tensor("x"), ours.tensor("pos").view(-1)
    starts = [p for p in range(0, past, shape.tokens)][-3:]  # a cache of zeros elsewhere costs as much
    for start in [*starts, past]:
        ours.place(start)
        ours.run(TEXTS | PRODUCTS)
        for block in blocks:
            block(x, pos)
        torch.cuda.synchronize()
    return x, pos


def measure(name, tokens, capacity, options, clock):
    shape = Shape(tokens=tokens, capacity=capacity, **MODEL)
    ours = Ours(options.library, shape)
    weights = {w: ours.tensor(w) for w in WEIGHTS}
    make = lambda explicit: Block(weights, shape.heads, shape.cache_heads, shape.head_dim, capacity, explicit)  # noqa: E731
    explicit, fused_attention = make(True), make(False)
    past = capacity - tokens
    with torch.inference_mode():
        x, pos = filled(ours, (explicit, fused_attention), shape, past)
        want, got = explicit(x, pos).float(), ours.tensor("y").float()
        difference = float(((got - want).square().mean() / (want - x.float()).square().mean()).sqrt())
        runs = {"ours": lambda: ours.run(TEXTS | PRODUCTS), "ours, texts": lambda: ours.run(TEXTS), "ours, products": lambda: ours.run(PRODUCTS),
                "eager": lambda: explicit(x, pos), "eager, sdpa": lambda: fused_attention(x, pos)}
        notes = {}
        for label, block in (("compile", explicit), ("compile, sdpa", fused_attention)):
            compiled, why = timing.compiled_function(block.__call__, x, pos)
            if compiled:
                runs[label] = functools.partial(compiled, x, pos)
            else:
                notes[label] = why
        times, nodes = clock.race({label: [run] for label, run in runs.items()}, count_nodes=True)
        notes.update({label: "does not go into a graph: its time has the host's" for label in runs if nodes and label not in nodes})
    for label, why in notes.items():
        print(f"bench/decoder/peer.py: {name}: {label}: {why}", file=sys.stderr)
    row = {"case": name, "tokens": tokens, "capacity": capacity, **MODEL, "difference": difference, "plans": ours.cost.plans,
           "kernels": ours.cost.passes, "products": ours.cost.products, "bytes": ours.cost.bytes, "notes": notes, "nodes": nodes,
           "us": {label: statistics.median(list_) for label, list_ in times.items()}}
    ours.close()
    return row


def write(found, output):
    with open(output + ".json", "w", encoding="utf-8") as f:
        json.dump(found, f, indent=1)
        f.write("\n")
    with open(output + ".md", "w", encoding="utf-8") as f:
        f.write(report.table(found))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--cases", default="", help="of these names alone, with commas between them")
    parser.add_argument("--seconds", type=float, default=400, help="no case begins after so many")
    parser.add_argument("--output", help="path without ending")
    options = parser.parse_args()
    if not torch.cuda.is_available():
        print("bench/decoder/peer.py: skipped, there is no GPU")
        return
    os.environ.update(find_blas.environment())  # before the library looks
    torch.manual_seed(0)
    about = machine.gpu()
    clock = timing.Clock(ROUNDS)
    found = {"machine": {"gpu": about[0], "driver": about[1], "memory": about[2]}, "date": datetime.date.today().isoformat(),
             **rows_peer.built(options.library), "torch": torch.__version__, "rows": []}
    wanted = set(filter(None, options.cases.split(",")))
    for name, tokens, capacity in CASES:
        if wanted and name not in wanted:
            continue
        if time.monotonic() - START > options.seconds:
            print(f"bench/decoder/peer.py: no time for {name}", file=sys.stderr)
            continue
        row = measure(name, tokens, capacity, options, clock)
        found["rows"].append(row)
        print(row["case"], {label: round(us, 1) for label, us in row["us"].items()}, f"{row['difference']:.3f}", flush=True)
        if options.output:
            write(found, options.output)
    print(report.table(found), end="")


if __name__ == "__main__":
    main()
