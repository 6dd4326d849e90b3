#!/usr/bin/env python3
"""Functions of arrays in registers for every length: narrow, load and store touch the bytes of the array in memory that they are
given, each once and none beyond it. Compiled by NVRTC to PTX, in which the accesses are read; no GPU is needed. What they compute
is seen on a GPU: gpu_arrays.h.

usage: arrays_test.py
"""

import re
import sys

import device_code

LENGTHS = range(1, 18)
BITS = {"f16": 16, "bf16": 16, "e4m3fn": 8, "e4m3fn_sat": 8, "e5m2": 8, "e5m2_sat": 8, "e8m0fnu": 8, "e2m1fn": 4, "float": 32, "double": 64}
NARROW = [s for s in BITS if s not in ("float", "double")]
OPERATORS = ("gelu", "sin", "div", "pow")  # without and with rare operands, and of packs
ACCESS = re.compile(r"\s(ld|st)\.(?:volatile\.)?global\.(?:nc\.)?(?:(v2|v4)\.)?[a-z](\d+)\s+(?:[^;\[]*\[|\[)%\w+(?:\+(\d+))?\]")


def kernels():
    """{name: (text, bytes that are read, bytes that are written)}"""
    found = {}
    for n in LENGTHS:
        for s in NARROW:
            size = (BITS[s] * n + 7) // 8
            found[f"narrow_{s}_{n}"] = (f"(char* y, const float* x) {{ const auto p = narrow<{s}>(*reinterpret_cast<const float (*)[{n}]>(x)); "
                                        f"store<{s}, {n}>(y, p); }}", 4 * n, size)
        for s, bits in BITS.items():
            size = (bits * n + 7) // 8
            found[f"copy_{s}_{n}"] = (f"(char* y, const char* x) {{ store<{s}, {n}>(y, load<{s}, {n}>(x)); }}", size, size)
            if s != "double":
                found[f"widen_{s}_{n}"] = (f"(float* y, const char* x) {{ widen(load<{s}, {n}>(x), *reinterpret_cast<float (*)[{n}]>(y)); }}",
                                           size, 4 * n)
        for o in OPERATORS:
            x = "*reinterpret_cast<const float (*)[%d]>(x), " % n
            found[f"apply_{o}_{n}"] = (f"(float* y, const float* x) {{ apply<op::{o}, bounded>({x if o in ('gelu', 'sin') else 2 * x}"
                                       f"*reinterpret_cast<float (*)[{n}]>(y)); }}", 4 * n, 4 * n)
    return found


def touched(body, kind):
    """The bytes that the accesses of a kind touch, in order, and how many accesses there are."""
    at = []
    for m in ACCESS.finditer(body):
        if m[1] == kind:
            first, width = int(m[4] or 0), int(m[3]) // 8 * int((m[2] or "v1")[1])
            at += range(first, first + width)
    return sorted(at)


def main():
    nvrtc, failed = device_code.Nvrtc(), 0
    if not nvrtc.lib:
        print(f"skipped: {nvrtc.why}")
        return 77
    made = kernels()
    source = "#include <tileops/device/cuda.h>\nusing namespace tileops::device;\n" + "".join(
        f'extern "C" __global__ void {name}{text}\n' for name, (text, _, _) in made.items())
    ptx, log = nvrtc.compile(source, "sm_90", ptx=True)
    if ptx is None or "warning" in log:
        print(log[:3000])
        return 1
    bodies = dict(re.findall(r"\.entry (\w+)\(.*?\n\{(.*?)\n\}", ptx.decode(), re.S))
    for name, (_, read, written) in made.items():
        loads, stores = touched(bodies[name], "ld"), touched(bodies[name], "st")
        # A register that holds an element may be read twice from memory; a byte beyond is one too many.
        if sorted(set(loads)) != list(range(read)) or stores != list(range(written)):
            failed += 1
            print(f"{name}: reads bytes {sorted(set(loads))}, should read {read}; writes {stores}, should write {written}")
    print(f"{len(made)} functions of arrays, {failed} wrong")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
