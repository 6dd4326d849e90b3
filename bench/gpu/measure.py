"""Times of one row on the GPU: the library, a copy of the same traffic, torch eager, torch.compile and
CUB, on the same data, in turn.

Each is captured into a CUDA graph several times over and the graph is replayed, so that the host's
time is left out for all of them alike; what cannot be captured is timed by events around its calls.
Figures are medians. Operands smaller than the 60 MB L2 of an H200 come from there, for everybody."""

import ctypes as c
import statistics

import torch

ROUND_US = 250.0  # least length of a timed round
FP8 = (torch.float8_e4m3fn, torch.float8_e5m2)


class Clock:
    def __init__(self, rounds):
        self.rounds = rounds
        self.start = torch.cuda.Event(enable_timing=True)
        self.stop = torch.cuda.Event(enable_timing=True)

    def once(self, run):
        self.start.record()
        run()
        self.stop.record()
        self.stop.synchronize()
        return self.start.elapsed_time(self.stop) * 1e3

    def prepare(self, run):
        """A function that runs `count` calls, and count."""
        run()
        run()
        estimate = min(self.once(run) for _ in range(3))
        count = max(1, min(100, int(ROUND_US / max(estimate, 1.0)) + 1))
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        try:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=stream):
                for _ in range(count):
                    run()
        except RuntimeError:
            torch.cuda.synchronize()

            def many():
                for _ in range(count):
                    run()
            return many, count, None
        return graph.replay, count, graph

    def race(self, runs):
        """Median microseconds by name, of runners taken in turn."""
        ready = {name: self.prepare(run) for name, run in runs.items()}
        for replay, _, _ in ready.values():
            replay()
        times = {name: [] for name in runs}
        for _ in range(self.rounds):
            for name, (replay, count, _) in ready.items():
                times[name].append(self.once(replay) / count)
        return {name: statistics.median(values) for name, values in times.items()}


class Copy:
    """copy_library.cc"""

    def __init__(self, path):
        self.call = c.CDLL(path).tileops_gpu_copy

    def runner(self, case, out):
        reads = case.reads
        if reads is None:
            reads = [(t, t.element_size()) for t in case.inputs
                     if t is not None and t.numel() == out.numel()]
        reads = reads[:3]
        sizes = [size for _, size in reads] + [out.element_size()]
        least, most = min(sizes), max(sizes)
        each = max(1, min(16 // min(least, 16), 32 // min(most, 32)))
        threads = out.numel() // each
        if threads == 0:
            return None
        arrays = (c.c_void_p * (len(reads) + 1))(*[t.data_ptr() for t, _ in reads], out.data_ptr())
        widths = (c.c_int * len(sizes))(*[each * s for s in sizes])

        def run():
            if self.call(c.c_int(len(reads)), c.c_int(1), widths, arrays, c.c_int64(threads),
                         c.c_void_p(torch.cuda.current_stream().cuda_stream)):
                raise RuntimeError("the copy kernel failed")
        return run


class Cub:
    """cub_peer.cu: cub::DeviceTransform with a functor for some operators."""

    def __init__(self, path):
        self.call = c.CDLL(path).cub_transform if path else None

    def runner(self, case, out):
        kinds = {torch.float32: 0, torch.bfloat16: 1}
        if self.call is None or case.attrs or case.name != case.op:
            return None
        floats = [t for t in case.inputs if t is not None and t.dtype != torch.bool]
        if not floats or floats[0].dtype not in kinds or any(t.numel() != out.numel() for t in case.inputs):
            return None
        kind = kinds[floats[0].dtype]
        pointers = (c.c_void_p * 3)(*[t.data_ptr() for t in case.inputs])

        def run():
            return self.call(case.op.encode(), c.c_int(kind), pointers, c.c_void_p(out.data_ptr()),
                             c.c_int(out.numel()), c.c_void_p(torch.cuda.current_stream().cuda_stream))
        return run if run() == 0 else None


def result_like(case, row):
    """Memory for the result where torch has none to show."""
    if case.out is not None:
        return torch.empty_like(case.out)
    x = next(t for t in case.inputs if t is not None)
    shapes = [t.shape for t in case.inputs if t is not None]
    gated = row.category == "fused_gated"
    shape = torch.broadcast_shapes(*shapes) if not gated and row.category != "rope" and case.op != "prelu" else x.shape
    if gated and len(case.inputs) == 1:
        shape = (*x.shape[:-1], x.shape[-1] // 2)
    logical = row.category in ("comparison", "logical") or case.op in ("isnan", "isinf", "isfinite")
    dtype = torch.bool if logical else next(t.dtype for t in case.inputs if t is not None and t.dtype != torch.bool)
    return torch.empty(shape, dtype=dtype)


def short(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:120]


def fastest(clock, candidates, out):
    """Of torch's ways to say it the fastest that runs, with its result; None and the reason."""
    best, reason = None, "torch has no equivalent"
    for f in candidates:
        try:
            result = f(out)
            torch.cuda.synchronize()
        except (RuntimeError, TypeError, NotImplementedError, AssertionError) as e:
            reason = short(e)
            continue
        if out is None:
            try:
                out = torch.empty_like(result, memory_format=torch.contiguous_format)
                f(out)
            except (RuntimeError, TypeError):
                out = None
        f(out)
        us = min(clock.once(lambda: f(out)) for _ in range(3)) if len(candidates) > 1 else 0.0
        if best is None or us < best[0]:
            best = us, f, result
    return (best[1], best[2], None) if best else (None, None, reason)


def difference(ours, theirs, exact):
    if not exact or theirs is None or ours.shape != theirs.shape:
        return None
    a, b = ours.flatten()[:1 << 16].double(), theirs.flatten()[:1 << 16].double()
    same = (a == b) | (a.isnan() & b.isnan())
    delta = ((a - b).abs() / b.abs().clamp_min(1)).masked_fill(same, 0)
    return float(delta.max()) if delta.numel() else 0.0


def compiled(f, out):
    """torch.compile of a candidate, warmed up; None and the reason."""
    try:
        torch._dynamo.reset()
        g = torch.compile(f, dynamic=False)
        g(out)
        g(out)
        torch.cuda.synchronize()
        return (lambda: g(out)), None
    except Exception as e:  # whatever the compiler throws is a row that it cannot compile
        return None, short(e)


def measure(case, row, library, copy, cub, clock, with_compile):
    """A dict of microseconds and what they come to, or {"skipped": why}."""
    theirs, result, reason = fastest(clock, case.torch, case.out)
    like = result if result is not None else result_like(case, row)
    mine = torch.empty_like(like, memory_format=torch.contiguous_format)
    try:
        plan = library.plan(case.op, case.inputs, [mine], case.attrs)
    except RuntimeError as e:
        return {"skipped": short(e)}
    torch.cuda.synchronize()
    out = {"difference": difference(mine, result, case.exact)}
    runs = {"ours": lambda: plan.run_on(torch.cuda.current_stream().cuda_stream)}
    into = torch.empty_like(mine)
    copier = copy.runner(case, into)
    if copier:
        runs["copy"] = copier
    if theirs is not None:
        target = torch.empty_like(result, memory_format=torch.contiguous_format)
        try:
            theirs(target)
        except (RuntimeError, TypeError):
            target = None
        runs["torch"] = lambda: theirs(target)
        if with_compile:
            g, why = compiled(theirs, target)
            if g:
                runs["compile"] = g
            else:
                out["compile_note"] = why
    else:
        out["torch_note"] = reason
    peer = cub.runner(case, into)
    if peer:
        runs["cub"] = peer
    for name, us in clock.race(runs).items():
        out[name + "_us"] = us
    bytes_moved = plan.bytes_moved()
    out["bytes"] = bytes_moved
    out["tbs"] = bytes_moved / out["ours_us"] * 1e-6
    out["kernel"] = plan.text(2)
    out["strategy"] = plan.text(3)
    if "copy_us" in out:
        out["share"] = out["copy_us"] / out["ours_us"]
    plan.close()
    return out
