"""numexpr and MLX beside the library, and what a new expression costs everybody."""

import functools
import statistics
import time
import warnings

import numpy as np
import torch

from bench.expressions import chains, library as expr_library

try:
    import numexpr
except ImportError:
    numexpr = None
try:
    import mlx.core as mx

    mx.set_default_device(mx.cpu)
except ImportError:
    mx = None


_started = []  # torch.compile


def versions():
    """Of the peers that are there; None of others."""
    return {"numexpr": numexpr and numexpr.__version__, "mlx": mx and mx.__version__}


def numexpr_runner(one, results, threads):
    """(function, reader), or None: numexpr has no 16-bit floats, and no erf."""
    chain = one.chain
    if numexpr is None or not chain.numexpr or one.dtype != "f32":
        return None
    numexpr.set_num_threads(threads)
    # Constants are float32 as the operands are, or all would be computed in float64.
    given = {
        **{name: t.numpy() for name, t in one.operands.items()},
        **{name: np.float32(v) for name, v in chain.constants.items()},
    }
    outs = [np.empty(tuple(r.shape), np.float32) for r in results]

    def run():
        for text, out in zip(chain.numexpr, outs):
            numexpr.evaluate(text, local_dict=given, global_dict={}, out=out)
        return outs

    return run, lambda found: [torch.from_numpy(a) for a in found]


def mlx_array(t):
    kinds = {torch.bfloat16: mx.bfloat16, torch.float16: mx.float16, torch.float32: mx.float32}
    if t.dtype in kinds:
        return mx.array(t.float().numpy()).astype(kinds[t.dtype])
    return mx.array(t.numpy())


def mlx_runner(one):
    """(function, reader), or None. MLX computes in arrays of its own, row-major as they are made."""
    if mx is None or not one.chain.mlx or one.dtype == "e4m3fn" or one.variant in ("transposed", "every second"):
        return None
    arrays = [mlx_array(t) for t in one.tensors]
    mx.eval(*arrays)
    f = mx.compile(functools.partial(one.chain.mlx, mx))

    def run():
        found = f(*arrays)
        mx.eval(found)
        return found

    def read(found):
        found = found if isinstance(found, (tuple, list)) else (found,)
        return [
            torch.from_numpy(np.array(a.astype(mx.float32) if a.dtype in (mx.bfloat16, mx.float16) else a))
            for a in found
        ]

    return run, read


def seconds_of(run):
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def ours_first(library, chain, dtype):
    one = chain.operands(1 << 12, dtype)
    tensors = list(one.values())
    expression = expr_library.Expression(library, chain.known_text)
    outputs = expression.results(tensors)
    expression.close()
    times = [expr_library.first_use(library, chain.known_text, tensors, outputs) for _ in range(40)]
    return {
        f"{name}_us": statistics.median(t[i] for t in times) * 1e6
        for i, name in enumerate(("parse", "plan", "execute"))
    }


def numexpr_first(chain):
    given = {
        **{name: t.numpy() for name, t in chain.operands(1 << 12, torch.float32).items()},
        **{name: np.float32(v) for name, v in chain.constants.items()},
    }
    times = []
    for i in range(1, 11):  # another text each time, by its blanks
        times.append(
            seconds_of(
                lambda: [numexpr.evaluate(text + " " * i, local_dict=given, global_dict={}) for text in chain.numexpr]
            )
        )
    return statistics.median(times)


def mlx_first(chain):
    """Of a process that has not compiled this chain."""
    arrays = [mlx_array(t) for t in chain.operands(1 << 12, torch.float32).values()]
    mx.eval(*arrays)
    return seconds_of(lambda: mx.eval(mx.compile(functools.partial(chain.mlx, mx))(*arrays)))


def compile_first(chain):
    """Without torch's caches. The first of all takes longer, and is left out."""
    import torch._inductor.config as inductor

    warnings.filterwarnings("ignore", message=".*force_disable_caches")
    tensors = list(chain.operands(1 << 12, torch.float32).values())
    torch._dynamo.reset()
    if not _started:
        _started.append(True)
        compile_first(chains.by_name("lerp_ema"))
        torch._dynamo.reset()
    with inductor.patch(force_disable_caches=True):
        return seconds_of(lambda: torch.compile(chain.torch, dynamic=False)(*tensors))


def first_uses(library, with_compile):
    """Of new expressions, 4 Ki elements, one thread: rows of ours in "chains", and "numexpr_ms" and others by chain."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    found = {"chains": []}
    for chain in chains.CHAINS:
        for dtype in (torch.float32, torch.bfloat16):
            name = "f32" if dtype == torch.float32 else "bf16"
            if name in chain.dtypes:
                found["chains"].append(
                    {"op": chain.name, "dtype": name, "steps": chain.num_steps, **ours_first(library, chain, dtype)}
                )
    some = [chains.by_name(name) for name in ("mul_add", "swiglu_residual", "snake")]
    for peer, there, first in (
        ("numexpr", numexpr, numexpr_first),
        ("mlx", mx, mlx_first),
        ("compile", with_compile, compile_first),
    ):
        found[peer + "_ms"] = {}
        for chain in some if there else ():
            try:
                found[peer + "_ms"][chain.name] = first(chain) * 1e3
            except Exception as e:
                found[peer + "_note"] = (str(e).strip().splitlines() or [type(e).__name__])[0][:160]
    torch.set_num_threads(threads)
    return found
