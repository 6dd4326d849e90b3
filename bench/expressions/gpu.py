"""Rows of the GPU benchmark that are expressions: chains of operators in one kernel, beside a kernel that only copies
the same bytes, the chain as operators one call after the other (of this library, and of torch), and torch.compile.

    expressions           all chains at the size of the other groups (--elements)
    expression_layouts    broadcast, transposed and strided operands
    expression_decode     1 to 32 rows of 4096 to 16384: what a decoding step has
    expression_sizes      some chains from 64 Ki to 256 Mi elements

Results are compared with torch's in more precision before anything is timed: ours must agree within the rounding,
peers within PEER_TOLERANCE of it, or the row says so and has no figure."""

import re
import statistics

import torch

from bench.expressions import chains as expr_chains, operands as expr_operands
from bench.expressions.instance import LAYOUTS, PEER_TOLERANCE, Instance, differences, tuple_of
from bench.expressions.library import Unfused
from bench.gpu import measure

GROUPS = ("expressions", "expression_layouts", "expression_decode", "expression_sizes")
SIZES = [1 << k for k in (16, 18, 20, 22, 24, 28)]  # 64 Mi is in the group of all chains
SIZE_CHAINS = ("swiglu_residual", "bias_gelu", "adamw")
DECODE = [(rows, width) for rows in (1, 8, 32) for width in (4096, 16384)]
DECODE_CHAINS = ("swiglu_residual", "bias_gelu_residual", "swiglu_clamped", "rope_halves")
MOST_SETS = 600  # of buffers in turn
DTYPES = ("bf16", "f32", "f16", "e4m3fn")  # what matters most first, for runs that end early


def decode_operands(chain, rows, width):
    """Operands of so many rows; of RoPE, tokens of heads of 128."""

    def make(_n, dtype):
        u = expr_operands.uniform
        if chain.name == "swiglu_clamped":
            return {"x": u(dtype, rows, 2 * width)}
        if chain.name == "rope_halves":
            return {
                "x": u(dtype, rows, width // 128, 128),
                "cos": u(dtype, rows, 1, 64, lo=-1, hi=1),
                "sin": u(dtype, rows, 1, 64, lo=-1, hi=1),
            }
        names = re.sub(r"\[[^]]*\]", "", chain.known_text[1:].split(")")[0]).split(", ")
        return {name: u(dtype, *((width,) if name == "bias" else (rows, width))) for name in names}

    return make


def rows(options):
    """(group, size, name, dtype's name, function that makes the instance), in a fixed order."""
    if "expressions" not in options.parts.split(","):
        return
    dtypes = [d for d in DTYPES if d in options.dtypes.split(",")]
    wanted = set(options.ops.split(",")) if options.ops else None
    chains = [c for c in expr_chains.CHAINS if wanted is None or c.name in wanted]
    named = {c.name: c for c in chains}
    n = options.elements

    def row(group, size, chain, dtype, variant="", operands=None):
        one = Instance(chain, dtype, size, variant, operands)
        return group, size, one.name, dtype, lambda: one

    first = [d for d in dtypes if d in ("bf16", "f32")]
    for dtype in first:
        for chain in chains:
            if dtype in chain.dtypes:
                yield row("expressions", n, chain, dtype)
    for dtype in first[:1]:
        for name in DECODE_CHAINS:
            for count, width in DECODE:
                if name in named:
                    yield row(
                        "expression_decode",
                        count * width,
                        named[name],
                        dtype,
                        f"{count}x{width}",
                        decode_operands(named[name], count, width),
                    )
    for dtype in first:
        for name, variant, operands in LAYOUTS:
            if name in named:
                yield row("expression_layouts", n, named[name], dtype, variant, operands)
    for dtype in dtypes:
        if dtype not in first:
            for chain in chains:
                if dtype in chain.dtypes:
                    yield row("expressions", n, chain, dtype)
    for name in SIZE_CHAINS:
        for dtype in first:
            for size in SIZES:
                if name in named:
                    yield row("expression_sizes", size, named[name], dtype)


def stream():
    return torch.cuda.current_stream().cuda_stream


def wants_max(options, group, name, dtype):
    return group == "expressions" and name in options.max_ops.split(",") and dtype in ("f32", "bf16")


def call_of(function, tensors):
    """For measure.compiled, whose functions take memory for a result; these make their own."""
    return lambda _out: function(*tensors)


def warm(one, library, with_compile, with_max):
    """Everybody's kernels for the caches on disk; in another process than the one that measures."""
    one.fill()
    expression = one.expression(library)
    results = expression.results(one.tensors)
    expression.plan(one.tensors, results, one.chain.scalars).close()
    if not one.variant:
        try:
            Unfused(library, one.chain.steps, one.operands).close()
        except RuntimeError:
            pass  # the row itself says so
    for wanted, mode in ((with_compile, None), (with_max, measure.MAX_AUTOTUNE)):
        if wanted:
            measure.compiled(call_of(one.function(results), one.tensors), None, mode)


def check_peer(found, results, expected, one):
    """None, or why a peer's results cannot be compared with ours."""
    found = tuple_of(found)
    if [(tuple(f.shape), f.dtype) for f in found] != [(tuple(r.shape), r.dtype) for r in results]:
        return "its results have other shapes or dtypes: " + ", ".join(f"{f.dtype} {tuple(f.shape)}" for f in found)
    if not one.comparable:
        return None
    _, share = differences(found, expected)
    return f"its results differ by {share:.3g} times the rounding" if not share <= PEER_TOLERANCE else None


def measure_row(one, library, copy, clock, with_compile, with_max):
    """Dicts of microseconds and what they come to: the row, and where it is to be, the row with buffers in turn."""
    one.fill()
    expression = one.expression(library)
    results = expression.results(one.tensors)
    try:
        plan = expression.plan(one.tensors, results, one.chain.scalars)
    except RuntimeError as e:
        return [{"skipped": measure.short(e)}]
    torch.cuda.synchronize()
    expected = one.expected(results)
    largest, share = differences(results, expected)
    if not share <= 1:
        plan.close()
        return [{"skipped": f"the result is wrong: differs by {largest:.3g}, {share:.3g} times what is allowed"}]
    found = {
        "difference": largest,
        "light": one.chain.light,
        "text": one.chain.known_text,
        "operators": expression.num_nodes,
        "steps": one.chain.num_steps,
    }
    function = one.function(results)
    runs = {"ours": [lambda: plan.run_on(stream())]}
    copier = copy.fastest(clock, [one.traffic([torch.empty_like(r) for r in results])])
    if copier:
        runs["copy"], cut, sizes = copier
        elements = one.traffic(results)[2]
        found.update(copy_cut=list(cut), traffic=sizes, copy_bytes=sum(sizes) * elements)
    try:
        unfused = Unfused(library, one.chain.steps, one.operands)
        runs["unfused"] = [lambda: unfused.run_on(stream())]
        found["unfused_bytes"] = unfused.bytes_moved()
    except RuntimeError as e:
        unfused, found["unfused_note"] = None, measure.short(e)
    peers = [
        ("torch", True, lambda: (call_of(function, one.tensors), None)),
        ("compile", with_compile, lambda: measure.compiled(call_of(function, one.tensors), None)),
        ("max", with_max, lambda: measure.compiled(call_of(function, one.tensors), None, measure.MAX_AUTOTUNE)),
    ]
    for name, wanted, make in peers:
        if not wanted:
            continue
        try:
            run, why = make()
            if run and name == "torch":
                run = lambda: function(*one.tensors)  # noqa: E731
            why = why if run is None else check_peer(run(), results, expected, one)
        except Exception as e:  # whatever the compiler throws is a row that it cannot have
            why = measure.short(e)
        if why:
            found[name + "_note"] = why
        else:
            runs[name] = [run]
    del expected
    rows_ = [finished(clock, runs, plan, dict(found))]
    sets = -(-2 * clock.l2 // max(rows_[0]["bytes"], 1))
    if one.chain.rotate and rows_[0]["data"] == "L2" and sets <= MOST_SETS:
        rows_.append(rotated(one, sets, library, copy, clock, expression, found))
    plan.close()
    if unfused:
        unfused.close()
    expression.close()
    return rows_


def rotated(one, sets, library, copy, clock, expression, found):
    """The same on as many sets of buffers in turn as do not fit into the L2."""
    ones = [Instance(one.chain, one.dtype, one.n, one.variant, one.make).fill() for _ in range(sets)]
    outs = [expression.results(each.tensors) for each in ones]
    plans = [expression.plan(each.tensors, out, one.chain.scalars) for each, out in zip(ones, outs)]
    runs = {"ours": [lambda p=p: p.run_on(stream()) for p in plans]}
    intos = [[torch.empty_like(r) for r in out] for out in outs]
    copier = copy.fastest(clock, [each.traffic(into) for each, into in zip(ones, intos)])
    if copier:
        runs["copy"] = copier[0]
    row = finished(
        clock,
        runs,
        plans[0],
        {k: found[k] for k in ("light", "text", "operators", "steps", "copy_bytes") if k in found},
    )
    for p in plans:
        p.close()
    return {**row, "data": "rotated"}


def finished(clock, runs, plan, row):
    times, nodes = clock.race(runs, count_nodes=True)
    for name, values in times.items():
        row[name + "_us"] = statistics.median(values)
    row["pairs"], row["nodes"] = measure.paired(times), nodes
    row["bytes"] = plan.bytes_moved()
    row["data"] = "memory" if row["bytes"] > 2 * clock.l2 else "L2"
    row["tbs"] = row["bytes"] / row["ours_us"] * 1e-6
    row["kernel"], row["strategy"], row["origin"] = plan.text(2), plan.text(3), plan.text(4)
    if "copy_us" in row:
        # Bytes a second beside the copy's: operands that are broadcast are in ours alone.
        row["share"] = row["tbs"] / (row["copy_bytes"] / row["copy_us"] * 1e-6)
        row["over_copy_us"] = row["ours_us"] - row["copy_us"]
    return row
