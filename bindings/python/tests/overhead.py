"""What a call costs, beside NumPy's: 2 x 8 float32, microseconds of this thread, the least of several rounds."""

import time

import numpy as np

import libtileops as to

ROUNDS, CALLS = 25, 2000
x = np.random.default_rng(0).standard_normal((2, 8), dtype="f4")
y = np.empty_like(x)
weight = np.ones(8, "f4")
silu = to.expr("(g, u, r) -> silu(g) * u + r")
plan = to.plan(to.softmax, x)
softmax, add, rms_norm, ufunc = to.softmax, to.add, to.rms_norm, np.add

CASES = {
    "numpy.add, out=": lambda: ufunc(x, x, out=y),
    "add, out=": lambda: add(x, x, out=y),
    "add": lambda: add(x, x),
    "softmax, out=": lambda: softmax(x, out=y),
    "softmax": lambda: softmax(x),
    "plan of softmax, out=": lambda: plan(x, out=y),
    "rms_norm, out=": lambda: rms_norm(x, weight, out=y),
    "silu(g) * u + r, out=": lambda: silu(x, x, x, out=y),
}


def microseconds(call):
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.thread_time_ns()
        for _ in range(CALLS):
            call()
        best = min(best, (time.thread_time_ns() - begin) / CALLS / 1000)
    return best


empty = microseconds(lambda: None)
for name, call in CASES.items():
    print(f"{name:24} {microseconds(call) - empty:6.2f}")
