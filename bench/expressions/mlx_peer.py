#!/usr/bin/env python3
"""Chains of operators by MLX on a GPU, for bench/gpu/run.py: mlx_peer.py OUT.json SECONDS < rows, a line "chain dtype elements"
each.

In a process of its own, since MLX has its own arrays, stream and graphs: the time is the wall's, of many calls of the
compiled function that are waited for together, so that it holds what the host needs as well. It is the median of the
rounds; results are compared with torch's on the CPU on the first elements."""

import functools
import json
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import mlx.core as mx  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402

from bench.expressions import chains  # noqa: E402
from bench.expressions.instance import DTYPES, PEER_TOLERANCE, Instance, differences, tuple_of  # noqa: E402

CALLS, ROUNDS = 20, 9
CHECKED = 1 << 16  # elements


def array(t):
    kinds = {torch.bfloat16: mx.bfloat16, torch.float16: mx.float16}
    return mx.array(t.float().numpy()).astype(kinds[t.dtype]) if t.dtype in kinds else mx.array(t.numpy())


def tensor(a):
    return torch.from_numpy(np.array(a.astype(mx.float32) if a.dtype in (mx.bfloat16, mx.float16) else a))


def arrays_of(chain, dtype, n):
    found = [array(t) for t in chain.operands(n, DTYPES[dtype]).values()]
    mx.eval(*found)
    return found


def check(chain, dtype, f):
    """None, or why the results are not ours."""
    one = Instance(chain, dtype, CHECKED).fill()
    found = [tensor(a) for a in tuple_of(f(*[array(t) for t in one.tensors]))]
    expected = one.expected(None)
    if len(found) != len(expected):
        return "it has other results"
    if dtype in ("bf16", "f16"):
        found = [a.to(DTYPES[dtype]) for a in found]
    _, share = differences(found, expected)
    return f"its results differ by {share:.3g} times the rounding" if not share <= PEER_TOLERANCE else None


def seconds_of(f, arrays):
    begin = time.perf_counter()
    for _ in range(CALLS):
        mx.async_eval(f(*arrays))
    mx.synchronize()
    return (time.perf_counter() - begin) / CALLS


def main():
    out, budget, start, found = sys.argv[1], float(sys.argv[2]), time.monotonic(), {}
    version = getattr(mx, "__version__", None) or "present"
    if mx.default_device() != mx.gpu:
        sys.exit("mlx_peer.py: MLX has no GPU here")
    for line in sys.stdin.read().splitlines():
        name, dtype, n = line.split()
        chain = chains.by_name(name)
        if not chain.mlx or time.monotonic() - start > budget:
            found[line] = {"mlx_note": "no chain of MLX's" if not chain.mlx else "out of time"}
        else:
            try:
                f = mx.compile(functools.partial(chain.mlx, mx))
                begin = time.perf_counter()
                mx.eval(f(*arrays_of(chain, dtype, 1 << 12)))
                first = time.perf_counter() - begin
                why = check(chain, dtype, f)
                if why:
                    found[line] = {"mlx_note": why}
                else:
                    arrays = arrays_of(chain, dtype, int(n))
                    seconds_of(f, arrays)
                    found[line] = {
                        "mlx_us": statistics.median(seconds_of(f, arrays) for _ in range(ROUNDS)) * 1e6,
                        "mlx_first_ms": first * 1e3,
                    }
                    del arrays
            except Exception as e:  # a row loses itself alone
                found[line] = {"mlx_note": (str(e).strip().splitlines() or [type(e).__name__])[0][:160]}
        with open(out, "w", encoding="utf-8") as file:
            json.dump({"version": version, "rows": found}, file)


if __name__ == "__main__":
    main()
