"""What a call costs, beside NumPy's and torch's: 2 x 8 float32, microseconds of this thread, the least of several rounds, in turns."""

import itertools
import time

import numpy as np

import libtileops as to

ROUNDS, CALLS = 25, 2000
x = np.random.default_rng(0).standard_normal((2, 8), dtype="f4")
y = np.empty_like(x)
weight = np.ones(8, "f4")
rows = np.ones((601, 8), "f4")
silu = to.expr("(g, u, r) -> silu(g) * u + r")
plan = to.plan(to.softmax, x)
batches = itertools.cycle([(rows[:n], np.empty_like(rows[:n])) for n in range(2, 602)])  # more than there are plans kept
softmax, add, rms_norm, ufunc = to.softmax, to.add, to.rms_norm, np.add


pairs = [(rows[:n], np.empty_like(rows[:n])) for n in range(1, 21)]
elements, outs = [a for a, _ in pairs], [b for _, b in pairs]


def add_each():
    for a, b in pairs:
        add(a, a, out=b)


def of_next(rows, out):
    softmax(rows, out=out)


CASES = {
    "numpy.add, out=": lambda: ufunc(x, x, out=y),
    "add, out=": lambda: add(x, x, out=y),
    "add": lambda: add(x, x),
    "add to each of 20, out=": add_each,
    "add.foreach of 20, out=": lambda: add.foreach(elements, elements, out=outs),
    "softmax, out=": lambda: softmax(x, out=y),
    "softmax": lambda: softmax(x),
    "softmax of 2 to 601 rows": lambda: of_next(*next(batches)),
    "plan of softmax, out=": lambda: plan(x, out=y),
    "rms_norm, out=": lambda: rms_norm(x, weight, out=y),
    "silu(g) * u + r, out=": lambda: silu(x, x, x, out=y),
}


def torch_cases():
    """The same on torch's tensors; with a gradient as well."""
    try:
        import torch
        from torch.nn.functional import layer_norm
    except ImportError:
        return {}
    torch.set_num_threads(1)
    t, w, b = torch.from_numpy(x.copy()), torch.rand(8), torch.rand(8)
    o, given = torch.empty(2, 8), torch.ones(2, 8)
    shim, norm, ops = to.torch.op(to.softmax), to.torch.op(to.layer_norm), to.torch.ops
    known = to.expr("(x[.., n], w[n], b[n]; eps = 1e-5) -> layer_norm(x, w, b, eps)")
    leaf = t.clone().requires_grad_()

    def backward(function):
        def call():
            leaf.grad = None
            function(leaf).backward(given)
        return call
    return {
        "torch.softmax": lambda: torch.softmax(t, -1),
        "softmax, out= of torch's": lambda: softmax(t, out=o),
        "softmax of torch's": lambda: softmax(t),
        "op(softmax).overload": lambda: shim.overload(t),
        "op(softmax)": lambda: shim(t),
        "ops.softmax": lambda: ops.softmax(t, -1),
        "torch's layer_norm": lambda: layer_norm(t, (8,), w, b),
        "layer_norm, out= of torch's": lambda: known(t, w, b, out=o),
        "layer_norm of torch's": lambda: known(t, w, b),
        "op(layer_norm).overload": lambda: norm.overload(t, w, b),
        "op(layer_norm)": lambda: norm(t, w, b),
        "ops.layer_norm": lambda: ops.layer_norm(t, (8,), w, b),
        "torch.softmax and backward": backward(lambda x: torch.softmax(x, -1)),
        "op(softmax) and backward": backward(shim),
    }


def microseconds(call):
    begin = time.thread_time_ns()
    for _ in range(CALLS):
        call()
    return (time.thread_time_ns() - begin) / CALLS / 1000


cases = {"nothing": lambda: None, **CASES, **torch_cases()}
best = dict.fromkeys(cases, float("inf"))
for _ in range(ROUNDS):
    for name, call in cases.items():
        best[name] = min(best[name], microseconds(call))
for name in list(cases)[1:]:
    print(f"{name:28} {best[name] - best['nothing']:6.2f}")
