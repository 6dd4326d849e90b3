#!/usr/bin/env python3
"""form_of says which form an operator has under a policy, and -fmad changes no operator of which docs/device.md says so: by
the machine code and PTX that NVRTC makes. With --table, what docs/device.md has of instructions.

usage: forms_test.py [--table]
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import device_code

sys.path.insert(0, str(device_code.ROOT / "tools"))
import device_bitcode

POLICIES = device_bitcode.POLICIES
OPERATORS = {o: (n, k) for (n, k), names in device_bitcode.OPERATORS.items() for o in names.split()}
# Under `bounded` these hold with any -fmad: what docs/device.md promises.
ANY_FMAD = ("abs elu_one exp exp2 gelu gelu_and_mul gelu_tanh gelu_tanh_and_mul hardsigmoid hardswish leaky_relu logsigmoid mish relu "
            "rsqrt selu sigmoid silu silu_and_mul softplus softplus_one sqrt tanh").split()
# Under within_2_20 these add 1 to a product, which with -fmad is rounded once less: the bound holds, other bits may come out.
ROUNDED_LESS = ("gelu_tanh", "sigmoid", "silu")
# Most instructions of a kernel of one element, under bounded and within_2_20 on sm_90, those of loading and storing it
# among them (some 12): what NVRTC 13.0 makes, and a few more.
MOST = {"gelu": (56, 42), "silu": (44, 30), "tanh": (42, 42), "sigmoid": (44, 30), "exp": (48, 32),
        "silu_and_mul": (130, 42), "gelu_and_mul": (193, 58), "gelu_tanh_and_mul": (162, 56)}


def kernel(operator, policy):
    operands, attributes = OPERATORS[operator]
    given = [f"const float* x{i}" for i in range(operands)] + [f"float k{i}" for i in range(attributes)]
    arrays = "".join(f" float v{i}[1] = {{x{i}[0]}};" for i in range(operands))
    arguments = ", ".join([f"v{i}" for i in range(operands)] + ["r"] + [f"k{i}" for i in range(attributes)])
    return (f'extern "C" __global__ void {operator}__{policy}(float* y, {", ".join(given)}) {{{arrays} float r[1]; '
            f"apply<op::{operator}, {policy}>({arguments}); y[0] = r[0]; }}\n")


def ptx_of(nvrtc, source, fmad):
    image, log = nvrtc.compile(source, options=(f"--fmad={fmad}",), ptx=True)
    if image is None:
        raise SystemExit(log)
    found = {}
    for m in re.finditer(r"\.entry (\w+)\((.*?)\n\}\n", image.decode(), re.S):
        body = m[2][m[2].index("{"):]
        found[m[1]] = re.sub(r"\$L__BB\d+_|callseq \d+", "L", re.sub(r"\w+__(?:" + "|".join(POLICIES) + r")\w*", "K", body))
    return found


def instructions_of(nvrtc, source, arch, fmad="false"):
    """{kernel: Counter of instructions}, or None without a disassembler."""
    tool = shutil.which("nvdisasm", path=f"{device_code.CUDA_HOME}/bin") or shutil.which("nvdisasm")
    if not tool:
        return None
    image, log = nvrtc.compile(source, arch, (f"--fmad={fmad}",))
    if image is None:
        raise SystemExit(log)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "x.cubin")
        file.write_bytes(image)
        text = subprocess.run([tool, "-c", str(file)], capture_output=True, text=True, check=True).stdout
    found = {}
    for section in re.split(r"\n\s*\.section\s+", text):
        if m := re.match(r"\.text\.(\w+)", section):
            lines = re.findall(r"/\*[0-9a-f]{4}\*/\s+(?:@!?U?P\w+ )?([A-Z0-9_.]+)", section)
            lines = lines[:len(lines) - 1 - next((i for i, o in enumerate(reversed(lines)) if o == "BRA"), 0)]  # the end's loop
            found[m[1]] = collections.Counter(o for o in lines if o != "NOP")
    return found


# The usual way to write it with CUDA's functions.
LIBM = {"cos": "cosf(x)", "div": "x / y", "elu_one": "x > 0 ? x : expm1f(x)", "erf": "erff(x)", "exp": "expf(x)", "exp2": "exp2f(x)",
        "expm1": "expm1f(x)", "gelu": "0.5f * x * (1 + erff(x * 0.70710678f))",
        "gelu_and_mul": "0.5f * x * (1 + erff(x * 0.70710678f)) * y",
        "gelu_tanh": "0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x)))",
        "gelu_tanh_and_mul": "0.5f * x * (1 + tanhf(0.79788456f * (x + 0.044715f * x * x * x))) * y", "log": "logf(x)",
        "log1p": "log1pf(x)", "log2": "log2f(x)", "logsigmoid": "fminf(x, 0) - log1pf(expf(-fabsf(x)))",
        "mish": "x * tanhf(log1pf(expf(x)))", "pow": "powf(x, y)", "reciprocal": "1 / x", "rsqrt": "rsqrtf(x)",
        "selu": "1.05070099f * (x > 0 ? x : 1.67326324f * expm1f(x))", "sigmoid": "1 / (1 + expf(-x))", "silu": "x / (1 + expf(-x))",
        "silu_and_mul": "x / (1 + expf(-x)) * y", "sin": "sinf(x)", "softplus_one": "fmaxf(x, 0) + log1pf(expf(-fabsf(x)))",
        "sqrt": "sqrtf(x)", "tanh": "tanhf(x)"}


def bounds():
    """{functor: ulp} of float32, from the tables of operators and functions."""
    found = {}
    for path in [*(device_code.INCLUDE / "tileops/ops").glob("*.def"), device_code.INCLUDE / "tileops/functions.def"]:
        for bodies, ulp in re.findall(r"\((op::[^)]*)\), (\d+)", path.read_text()):
            found.update({body.strip()[4:]: ulp for body in bodies.split(",")})
    return found


def table(nvrtc, source):
    archs = ("sm_80", "sm_90a", "sm_100")
    found = {arch: instructions_of(nvrtc, source, arch) for arch in archs}
    # What loading the operands and storing one result takes: a copy of so many operands, less its other stores.
    base = {(arch, n): sum(found[arch][f"copy{n}__"].values()) - (n - 1) for arch in archs for n in (1, 2, 3)}
    libm = "".join(f'extern "C" __global__ void {o}__libm(float* r, const float* p, const float* q) '
                   f"{{ const float x = p[0], y = q[0]; (void)y; r[0] = {text}; }}\n" for o, text in LIBM.items())
    usual = {arch: instructions_of(nvrtc, libm, arch, "true") for arch in archs}
    ptx, ulps = ptx_of(nvrtc, source, "false"), bounds()

    def cell(operator, counts, form):
        return " / ".join(str(sum(counts[a][f"{operator}__{form}"].values()) - base[a, OPERATORS[operator][0]]) for a in archs)

    print("| operator | bound | " + " | ".join(f"`{p}`" for p in POLICIES) + " | CUDA's functions | any -fmad |")
    print("|---|---:|" + "---:|" * (len(POLICIES) + 1) + "---|")
    for o in sorted(OPERATORS):
        own = [False, *(ptx[f"{o}__{p}"] != ptx[f"{o}__{before}"] for before, p in zip(POLICIES, POLICIES[1:]))]
        cells = [f"**{c}**" if bold else c for c, bold in zip([cell(o, found, p) for p in POLICIES], own)]
        usually = cell(o, usual, "libm") if o in LIBM else ""
        print(f"| `{o}` | {ulps.get(o, 0)} | " + " | ".join(cells) + f" | {usually} | {'yes' if o in ANY_FMAD else ''} |")


def main():
    nvrtc = device_code.Nvrtc()
    if not nvrtc.lib:
        print(f"no NVRTC: {nvrtc.why}")
        return 77
    source = "#include <tileops/device/cuda.h>\nusing namespace tileops::device;\n"
    for n in (1, 2, 3):
        given, copies = "".join(f", const float* x{i}" for i in range(n)), " ".join(f"y[{i}] = x{i}[0];" for i in range(n))
        source += f'extern "C" __global__ void copy{n}__(float* y{given}) {{ {copies} }}\n'
    source += "".join(kernel(o, p) for o in OPERATORS for p in POLICIES)
    if "--table" in sys.argv:
        table(nvrtc, source)
        return 0
    failed = []
    ptx = ptx_of(nvrtc, source, "false")
    asserts = "#include <tileops/device/cuda.h>\nusing namespace tileops::device;\n"
    for o in OPERATORS:
        has = {"bit_exact": "bit_exact"}
        for before, p in zip(POLICIES, POLICIES[1:]):
            has[p] = has[before] if ptx[f"{o}__{p}"] == ptx[f"{o}__{before}"] else p
        asserts += "".join(f'static_assert(form_of<op::{o}, {p}>::is<{f}>, "{o} under {p} is {f}");\n' for p, f in has.items())
    image, log = nvrtc.compile(asserts)
    failed += re.findall(r'static assertion failed with (".*")', log) if image is None else []
    if image is None and not failed:
        failed.append(log)
    plain, contracted = (instructions_of(nvrtc, source, "sm_90", f) for f in ("false", "true"))
    if plain is None:
        print("no nvdisasm: instructions are not counted")
    else:
        arithmetic = re.compile(r"^(F|D|H)(ADD|MUL|FMA)")
        for o, p in [(o, p) for o in ANY_FMAD for p in POLICIES[1:] if p == "bounded" or o not in ROUNDED_LESS]:
            a, b = ({k: n for k, n in c[f"{o}__{p}"].items() if arithmetic.match(k)} for c in (plain, contracted))
            if a != b:
                failed.append(f"{o} under {p}: -fmad makes it {b}, is {a}")
        for o, most in MOST.items():
            for p, limit in zip(POLICIES[1:], most):
                if (count := sum(plain[f"{o}__{p}"].values())) > limit:
                    failed.append(f"{o} under {p}: {count} instructions, at most {limit}")
    print("\n".join(failed) or f"{len(OPERATORS)} operators, {len(ANY_FMAD)} of them the same with any -fmad")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
