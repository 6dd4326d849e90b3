"""Times of one text with reductions on a GPU, and of its peers; nothing is timed whose results are wrong."""

import dataclasses
import functools
import statistics

import torch

from bench.expressions import library as expr_library
from bench.rows.tensors import differences, nbytes, results_as, tuple_of


@dataclasses.dataclass
class Tools:
    library: object
    copy: object
    clock: object
    peers: object
    most_sets: int


def prepared(case, sets, library):
    """(plans, results, torch's results, largest difference), a plan and results for each set of operands; RuntimeError where
    results differ from torch's by more than is allowed."""
    expected = tuple_of(case.torch(*sets[0]))
    expression = expr_library.Expression(library, case.text)
    results = [results_as(expression.results(tensors), expected) for tensors in sets]
    if len(results[0]) != len(expected):
        raise RuntimeError(f"{len(results[0])} results, torch has {len(expected)}")
    plans = [expression.plan(tensors, outs) for tensors, outs in zip(sets, results)]
    expression.close()
    if results[0][0].is_cuda:
        torch.cuda.synchronize()
    found = list(differences(results[0], expected))
    if not all(allowed for _, allowed in found):
        raise RuntimeError(f"results differ from torch's by {', '.join(f'{d:.3g}' for d, _ in found)}")
    return plans, results, expected, max(d for d, _ in found)


def stream():
    return torch.cuda.current_stream().cuda_stream


def kept(runs):
    """The same functions, but their results stay until the next call with the same operands, as ours do: sets in turn have results
    of their own, and no more."""
    places = [None] * len(runs)

    def keep(i, run):
        places[i] = run()

    return [functools.partial(keep, i, run) for i, run in enumerate(runs)]


def compiled(case, sets, mode):
    from bench.gpu import measure

    function, why = measure.compiled_function(case.torch, *sets[0], mode=mode)
    return function and [functools.partial(function, *tensors) for tensors in sets], why


def of_peer(make, sets, expected):
    """(functions without arguments, None), or (None, why not)."""
    runs = [make(tensors) for tensors in sets]
    found = tuple_of(runs[0]())
    torch.cuda.synchronize()
    worst = list(differences(found, expected))
    if len(worst) != len(expected) or not all(allowed for _, allowed in worst):
        return None, f"its results differ from torch's by {', '.join(f'{d:.3g}' for d, _ in worst)}"
    return runs, None


def peers_of(case, tools, sets, expected, options):
    """({name: functions}, notes on those that are left out)."""
    from bench.gpu import measure

    makers = {"torch": lambda: ([functools.partial(case.torch, *tensors) for tensors in sets], None)}
    if options.compile:
        makers["compile"] = lambda: compiled(case, sets, None)
    if options.max_autotune and case.most:
        makers["max"] = lambda: compiled(case, sets, measure.MAX_AUTOTUNE)
    for name, make in tools.peers.of(case).items():
        makers[name] = lambda make=make: of_peer(make, sets, expected)
    runs, notes = {}, {}
    for name, maker in makers.items():
        try:
            found, why = maker()
        except Exception as e:  # whatever a peer throws is a figure that it does not have
            found, why = None, measure.short(e)
        if found:
            runs[name] = kept(found)
        else:
            notes[name + "_note"] = why
    return runs, notes


def measure(case, tools, options):
    """Microseconds and what they come to; RuntimeError where the row cannot be had."""
    from bench.gpu.measure import paired

    first = case.tensors("cuda")
    plans, results, expected, worst = prepared(case, [first], tools.library)
    read, written = nbytes(first), nbytes(results[0])
    count = max(1, min(tools.most_sets, -(-4 * tools.clock.l2 // (read + written))))
    sets = [first] + [case.tensors("cuda") for _ in range(count - 1)]
    if count > 1:
        plans[0].close()
        plans, results, *_ = prepared(case, sets, tools.library)
    row = {"text": case.text, "kernel": plans[0].text(2), "strategy": plans[0].text(3), "difference": worst, "bytes_read": read,
           "bytes_written": written, "bytes": read + written, "sets": count,
           "data": "memory" if count * (read + written) > 2 * tools.clock.l2 else "L2"}
    runs = {"ours": [functools.partial(lambda plan: plan.run_on(stream()), plan) for plan in plans]}
    copies, about = tools.copy.beside(tools.clock, list(zip(sets, results)))
    if copies:
        runs["copy"] = copies
        row.update(about)
    others, notes = peers_of(case, tools, sets, expected, options)
    row.update(notes)
    times, nodes = tools.clock.race({**runs, **others}, count_nodes=True)
    row["nodes"], row["pairs"] = nodes, paired(times)
    for name, values in times.items():
        row[name + "_us"] = statistics.median(values)
        if nodes and name not in nodes:
            row[name + "_note"] = "does not go into a graph: its time has the host's"
    if copies:  # of as many bytes as the text moves
        row["copy_us"] *= row["bytes"] / (row["copy_read"] + row["copy_written"])
        row["percent_of_copy"] = 100 * row["copy_us"] / row["ours_us"]
    row["tbs"] = row["bytes"] / row["ours_us"] * 1e-6
    for plan in plans:
        plan.close()
    return row
