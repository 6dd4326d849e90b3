"""Runs the test vectors that all bindings share: vectors.py FILE (tests/ops/make_vectors.cc has the format)."""

import json
import sys

import numpy as np

import libtileops as to


def array_of(operand):
    """The array of a vector's operand."""
    dtype = to.cast(np.zeros(1, "f4"), dtype=operand["dtype"]).dtype
    return np.frombuffer(bytes.fromhex(operand["data"]), dtype).reshape(operand["shape"])


def near(got, want, ulp):
    """Are results of float32 or float64 at most so many numbers apart?"""
    kind = {4: np.int32, 8: np.int64}[got.dtype.itemsize]
    a, b = (np.ascontiguousarray(v).view(kind).astype(object) for v in (got, want))
    low = int(np.iinfo(kind).min)
    order = np.vectorize(lambda v: v if v >= 0 else low - v, otypes=[object])
    apart = abs(order(a) - order(b)) if a.size else a
    return bool(np.all((apart <= ulp) | (np.isnan(got) & np.isnan(want))))


def run(vector):
    """Does Python get the bytes of the vector?"""
    inputs = [None if operand is None else array_of(operand) for operand in vector["inputs"]]
    wanted = [array_of(operand) for operand in vector["outputs"]]
    while inputs and inputs[-1] is None:
        inputs.pop()
    if "expr" in vector:
        function, named = to.expr(vector["expr"]), vector["scalars"]
    else:
        function, named = getattr(to, vector["op"]), vector["attrs"]
    outs = tuple(np.empty(array.shape, array.dtype) for array in wanted)
    to.plan(function, *inputs, out=outs, reproducible=True, **named if "op" in vector else {})(
        *inputs, out=outs, **named if "expr" in vector else {})
    for got, want in zip(outs, wanted):
        same = got.tobytes() == want.tobytes()
        if not same and not (vector["ulp"] and got.dtype in (np.float32, np.float64) and near(got, want, vector["ulp"])):
            return False
    return True


def main():
    passed = 0
    failed = []
    with open(sys.argv[1]) as lines:
        for number, line in enumerate(lines, 1):
            vector = json.loads(line)
            try:
                good = run(vector)
            except Exception as error:  # told with the line
                failed.append(f"{number}: {vector.get('op') or vector.get('expr')}: {error!r}")
                continue
            if good:
                passed += 1
            else:
                failed.append(f"{number}: {vector.get('op') or vector.get('expr')}: other bytes")
    print("\n".join(failed[:20]))
    print(f"{passed} vectors passed, {len(failed)} failed")
    return bool(failed) or passed < 1500


if __name__ == "__main__":
    sys.exit(main())
