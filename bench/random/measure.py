"""One random case on the CPU or on a GPU: the library, a copy of as many bytes, torch and torch.compile, in turn on the same data, and
what the case would take at the roofline."""

import dataclasses
import functools
import statistics
import time

import torch

from bench.expressions import library as expr_library
from bench.random import torch_functions
from bench.random.compared import Expected
from bench.rows.tensors import nbytes

ROUNDS = 7


@dataclasses.dataclass
class Machine:
    """Where cases run. `lanes_a_second`: elements a second of one instruction that all cores are at, or 0 where that is not known."""

    device: str
    library: object
    threads: int
    lanes_a_second: float
    seconds: float = 0.2
    copy: object = None  # CPU: bench.common.library.CopyLoop; GPU: bench.rows.copies.Copy
    clock: object = None  # GPU: bench.gpu.measure.Clock

    @property
    def is_gpu(self):
        return self.clock is not None

    def wait(self):
        if self.is_gpu:
            torch.cuda.synchronize()


def short(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160]


def first_use(machine, case, tensors, results):
    """Seconds from the text to the results: parsing, choosing, compiling, running."""
    begin = time.perf_counter()
    expression = expr_library.Expression(machine.library, case.text)
    plan = expression.plan(tensors, results)
    machine.wait()
    took = time.perf_counter() - begin
    expression.close()
    return plan, took


def compiled(function, tensors):
    """torch.compile of it, run once; seconds that this took."""
    torch._dynamo.reset()
    begin = time.perf_counter()
    run = torch.compile(function, dynamic=False)
    run(*tensors)
    return functools.partial(run, *tensors), time.perf_counter() - begin


def race_on_cpu(machine, runners, moved):
    from bench.expressions.peer import race
    from bench.rows.cpu_peer import Copy

    copy = Copy(machine.copy, moved, machine.threads)
    times = race(runners, copy, machine.threads, machine.seconds)
    if "copy" in times:
        times["copy"] = [t * moved / copy.bytes for t in times["copy"]]
    return {name: [1e6 * t for t in values] for name, values in times.items()}


def race_on_gpu(machine, runners, tensors, results):
    runs = {name: [run] for name, run in runners.items()}
    copies, about = machine.copy.beside(machine.clock, [(tensors, results)])
    if copies:
        runs["copy"] = copies
    times, _ = machine.clock.race(runs, rounds=ROUNDS)
    if copies:
        moved = about["copy_read"] + about["copy_written"]
        times["copy"] = [t * nbytes(tensors + results) / moved for t in times["copy"]]
    return times


def runners_of(machine, plan, function, tensors, with_compile, row):
    runners = {"ours": plan.run, "torch": functools.partial(function, *tensors)}
    if machine.is_gpu:  # graphs are captured on a stream of their own
        runners["ours"] = lambda: plan.run_on(torch.cuda.current_stream().cuda_stream)
    if with_compile:
        try:
            runners["compile"], row["compile_first_s"] = compiled(function, tensors)
        except Exception as e:  # whatever a compiler throws is a figure that it does not have
            row["compile_note"] = short(e)
    return runners


def measure(machine, case, seed, with_compile):
    """A row of the result; RuntimeError where the library's results are not what they should be."""
    tensors = torch_functions.tensors(case, seed, machine.device)
    expression = expr_library.Expression(machine.library, case.text)
    results = expression.results(tensors)
    expression.close()
    dtypes = [r.dtype for r in results]
    plan, took = first_use(machine, case, tensors, results)
    moved = nbytes(tensors + results)
    row = {"bytes": moved, "first_s": took, "kernel": plan.text(2)}
    expected = Expected(case, tensors, dtypes)
    found = expected.compare(results)
    row.update(ulp=found.ulp, bound=found.bound, share=found.share)
    if found.share > 1:
        raise RuntimeError(f"the result is wrong: {found.ulp:.3g} ulp, {found.bound:.3g} are allowed")
    function = torch_functions.function(case, dtypes)
    theirs = expected.compare(function(*tensors))
    row.update(torch_ulp=theirs.ulp, torch_share=theirs.share)
    row["instructions"] = expected.instructions
    del expected
    runners = runners_of(machine, plan, function, tensors, with_compile, row)
    times = race_on_gpu(machine, runners, tensors, results) if machine.is_gpu else race_on_cpu(machine, runners, moved)
    middle = statistics.median if machine.is_gpu else min  # as the other benchmarks have it
    for name, values in times.items():
        row[name + "_us"] = middle(values)
    if "copy_us" in row:
        floor = 1e6 * row["instructions"] / machine.lanes_a_second if machine.lanes_a_second else 0.0
        row["floor_us"] = floor
        row["roofline_us"] = max(row["copy_us"], floor)
        row["of_roofline"] = row["roofline_us"] / row["ours_us"]
    if "compile_us" in row:
        row["over_compile"] = row["compile_us"] / row["ours_us"]
    plan.close()
    return row
