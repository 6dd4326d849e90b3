"""Times of one row on the GPU: the library, the fastest copy of the same traffic, torch eager, torch.compile and
CUB, on the same data, in turn.

Each is captured into a CUDA graph several times over and the graph is replayed, so that the host's
time is left out for all of them alike; what cannot be captured is timed by events around its calls.
Figures are medians; `pairs` has what they come to round by round. What is smaller than the L2 is measured twice: on the
same buffers again and again ("L2"), and on as many sets of them in turn as do not fit there ("rotated")."""

import ctypes as c
import statistics

import torch

ROUND_US = 250.0  # least length of a timed round
MOST_SETS = 4096  # of buffers in turn
FP8 = (torch.float8_e4m3fn, torch.float8_e5m2)


def quantile(values, part):
    values = sorted(values)
    return values[int(part * (len(values) - 1) + 0.5)]


def paired(times):
    """How each peer's time compares with ours in the same round: rounds in which we were slower, and the ratio's p10, p50
    and p90."""
    found = {}
    for name, values in times.items():
        if name != "ours" and "ours" in times:
            ratios = [theirs / ours for theirs, ours in zip(values, times["ours"])]
            found[name] = {"slower": sum(r < 1 for r in ratios), "rounds": len(ratios),
                           **{f"p{p}": round(quantile(ratios, p / 100), 4) for p in (10, 50, 90)}}
    return found


def node_counts(graph, calls):
    """Nodes of a captured graph a call, by kind; None where the driver does not say."""
    try:
        cuda, size = c.CDLL("libcuda.so.1"), c.c_size_t()
        handle = c.c_void_p(graph.raw_cuda_graph())
        if cuda.cuGraphGetNodes(handle, None, c.byref(size)):
            return None
        nodes = (c.c_void_p * max(size.value, 1))()
        if cuda.cuGraphGetNodes(handle, nodes, c.byref(size)):
            return None
        kinds, kind = {}, c.c_int()
        names = {0: "kernel", 1: "memcpy", 2: "memset", 3: "host", 5: "empty"}
        for node in nodes[:size.value]:
            if cuda.cuGraphNodeGetType(c.c_void_p(node), c.byref(kind)):
                return None
            name = names.get(kind.value, f"kind {kind.value}")
            kinds[name] = kinds.get(name, 0) + 1
        return {name: round(n / calls, 3) for name, n in kinds.items()}
    except Exception:
        return None


class Clock:
    def __init__(self, rounds):
        self.rounds = rounds
        self.start = torch.cuda.Event(enable_timing=True)
        self.stop = torch.cuda.Event(enable_timing=True)
        self.l2 = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 50 << 20)

    def once(self, run):
        self.start.record()
        run()
        self.stop.record()
        self.stop.synchronize()
        return self.start.elapsed_time(self.stop) * 1e3

    def prepare(self, runs, count_nodes=False):
        """A function that runs `count` calls, taking the sets in turn, count, the graph and its nodes a call."""
        runs[0]()
        runs[0]()
        estimate = min(self.once(runs[0]) for _ in range(3))
        count = max(1, min(100, int(ROUND_US / max(estimate, 1.0)) + 1))
        count = -(-count // len(runs)) * len(runs)
        kept = []  # results stay, so that each set has one of its own

        def many():
            for i in range(count):
                result = runs[i % len(runs)]()
                if len(runs) > 1 and isinstance(result, (torch.Tensor, tuple)):
                    kept.append(result)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        try:
            try:
                graph = torch.cuda.CUDAGraph(keep_graph=count_nodes)
            except TypeError:
                graph, count_nodes = torch.cuda.CUDAGraph(), False
            with torch.cuda.graph(graph, stream=stream):
                many()
            nodes = node_counts(graph, count) if count_nodes else None
            if count_nodes:
                graph.instantiate()
        except RuntimeError:
            torch.cuda.synchronize()

            def again():
                kept.clear()
                many()
            return again, count, None, None
        return graph.replay, count, (graph, kept), nodes

    def race(self, runs, rounds=None, count_nodes=False):
        """Microseconds of every round by name, of runners (a function for each set of buffers) taken in turn; and nodes."""
        ready = {name: self.prepare(run, count_nodes) for name, run in runs.items()}
        for replay, *_ in ready.values():
            replay()
        times = {name: [] for name in runs}
        for _ in range(rounds or self.rounds):
            for name, (replay, count, *_) in ready.items():
                times[name].append(self.once(replay) / count)
        return times, {name: r[3] for name, r in ready.items() if r[3]}


class Copy:
    """copy_library.cc: of several cuts the fastest for each mix of sizes, number of elements and kind of data."""

    def __init__(self, path):
        self.call = c.CDLL(path).tileops_gpu_copy
        self.best = {}

    @staticmethod
    def cuts(sizes):
        """(elements a thread, threads, striped)"""
        most, found = max(sizes), []
        for each in (8 // most, 16 // most, 32 // most, 64 // most):
            blocks = (128, 256, 512, 1024) if each * most == 16 else (128, 256, 512)
            if each:
                found += [(each, block, striped) for block in blocks for striped in ((0, 1) if each * most > 16 else (0,))]
        return found

    def runner(self, reads, writes, elements, cut):
        sizes = [size for _, size in reads + writes]
        arrays = (c.c_void_p * len(sizes))(*[t.data_ptr() for t, _ in reads + writes])
        widths = (c.c_int * len(sizes))(*sizes)

        def run():
            if self.call(c.c_int(len(reads)), c.c_int(len(writes)), widths, arrays, c.c_int64(elements), c.c_int(cut[0]),
                         c.c_int(cut[1]), c.c_int(cut[2]), c.c_void_p(torch.cuda.current_stream().cuda_stream)):
                raise RuntimeError("the copy kernel failed")
        return run

    def runners(self, clock, sets):
        """(functions, cut, sizes) of the fastest, for sets of (case, out); None where nothing can be copied."""
        traffic = []
        for case, out in sets:
            reads = case.reads
            if reads is None:
                reads = [(t, t.element_size()) for t in case.inputs if t is not None and t.numel() == out.numel()]
            traffic.append((reads[:3], [(out, out.element_size())], out.numel()))
        return self.fastest(clock, traffic)

    def fastest(self, clock, traffic):
        """The same for sets of (reads, writes, elements): arrays of (tensor, bytes an element)."""
        reads, writes, elements = traffic[0]
        sizes = [size for _, size in reads + writes]
        key = len(reads), *sizes, elements, len(traffic) > 1
        if key not in self.best:
            found = {}
            for cut in self.cuts(sizes):
                if elements < cut[0] or elements % cut[0]:
                    continue
                run = [self.runner(*one, cut) for one in traffic]
                try:
                    times, _ = clock.race({"copy": run}, rounds=5)
                    found[cut] = statistics.median(times["copy"])
                except RuntimeError:
                    continue
            self.best[key] = min(found, key=found.get) if found else None
        cut = self.best[key]
        return cut and ([self.runner(*one, cut) for one in traffic], cut, sizes)


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


def compiled_function(f, *arguments, mode=None):
    """torch.compile of a function, warmed up with the arguments; None and the reason. Which of its kernels is fastest is tried in
    each process anew: other processes try while the GPU is shared."""
    try:
        import torch._inductor.config as inductor
        inductor.autotune_local_cache = False
        torch._dynamo.reset()
        g = torch.compile(f, dynamic=False, mode=mode)
        g(*arguments)
        g(*arguments)
        torch.cuda.synchronize()
        return g, None
    except Exception as e:  # whatever the compiler throws is a row that it cannot compile
        return None, short(e)


def compiled(f, out, mode=None):
    """The same of a candidate, as a function without arguments."""
    g, why = compiled_function(f, out, mode=mode)
    return (lambda: g(out)) if g else None, why


MAX_AUTOTUNE = "max-autotune-no-cudagraphs"  # its own graphs do not go into ours


def target_for(f, result):
    out = torch.empty_like(result, memory_format=torch.contiguous_format)
    try:
        f(out)
    except (RuntimeError, TypeError):
        out = None
    return out


def measure(cases, row, library, copy, cub, clock, with_compile, with_max):
    """A dict of microseconds and what they come to, or {"skipped": why}. `cases`: sets of buffers that are taken in turn;
    torch.compile has a row with one set alone."""
    case = cases[0]
    theirs, result, reason = fastest(clock, case.torch, case.out)
    like = result if result is not None else result_like(case, row)
    way = next((i for i, f in enumerate(case.torch) if f is theirs), 0)
    sets = [(one, torch.empty_like(like, memory_format=torch.contiguous_format)) for one in cases]
    mine = sets[0][1]
    plans = []
    try:
        for one, out in sets:
            plans.append(library.plan(one.op, one.inputs, [out], one.attrs))
    except RuntimeError as e:
        return {"skipped": short(e)}
    plan = plans[0]
    torch.cuda.synchronize()
    out = {"difference": difference(mine, result, case.exact)}
    runs = {"ours": [lambda p=p: p.run_on(torch.cuda.current_stream().cuda_stream) for p in plans]}
    intos = [(one, torch.empty_like(mine)) for one in cases]
    copier = copy.runners(clock, intos)
    if copier:
        runs["copy"], cut, sizes = copier
        out["copy_cut"], out["traffic"] = list(cut), sizes
    if theirs is not None:
        targets = [target_for(one.torch[way], result) for one in cases]
        runs["torch"] = [lambda f=one.torch[way], t=t: f(t) for one, t in zip(cases, targets)]
        if len(cases) == 1:
            for name, wanted, mode in (("compile", with_compile, None), ("max", with_max, MAX_AUTOTUNE)):
                if wanted:
                    g, why = compiled(theirs, targets[0], mode)
                    if g:
                        runs[name] = [g]
                    else:
                        out[name + "_note"] = why
    else:
        out["torch_note"] = reason
    peers = [cub.runner(*one) for one in intos]
    if all(peers):
        runs["cub"] = peers
    times, nodes = clock.race(runs, count_nodes=True)
    for name, values in times.items():
        out[name + "_us"] = statistics.median(values)
    out["pairs"], out["nodes"] = paired(times), nodes
    bytes_moved = plan.bytes_moved()
    out["bytes"] = bytes_moved
    out["data"] = "rotated" if len(cases) > 1 else "memory" if bytes_moved > 2 * clock.l2 else "L2"
    out["tbs"] = bytes_moved / out["ours_us"] * 1e-6
    out["kernel"] = plan.text(2)
    out["strategy"] = plan.text(3)
    if "copy_us" in out:
        out["share"] = out["copy_us"] / out["ours_us"]
    for p in plans:
        p.close()
    return out
