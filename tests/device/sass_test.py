#!/usr/bin/env python3
"""Kernels around the operators of tileops/device have no more machine code than the library's own kernel of the same operator: by
transform.h, with as many packs a thread, on float32 under bounded and on bfloat16 under within_2_20; and a kernel of one pack of
float32 a thread around apply<op, bounded>. No GPU is needed.

usage: sass_test.py TILEOPS_PACK ARCH... [--table]      such as 80 90 100

TILEOPS_PACK compiles the library's kernels. All instructions count, those for rare operands among them, but those that read
arguments: how many of these one instruction reads depends on where they lie. And once more those of arithmetic on floats alone,
which loading and storing do not hide; of these there may be one in a hundred more, since around less code the compiler shares other
values. On bfloat16 arithmetic is not compared: the library's is of another kind, shorter and followed by a test of what it rounds.
Exit status 77, with the reason, where something is missing.
"""

import argparse
import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import device_code

sys.path.insert(0, str(device_code.ROOT / "tools"))
import device_bitcode

# Operators without attributes, on all of which the library's own choice is contiguous packs of four.
# Not logaddexp: the library computes its rare elements apart, so that its code is not the headers'.
APART = {"logaddexp"}
OPERATORS = [o for (_, attributes), names in device_bitcode.OPERATORS.items() if not attributes for o in names.split() if o not in APART]
# The operators of bfloat16 that the library's kernels compute as the headers do. Its other kernels (erf, log, tanh...) have a shorter
# form and a table of the results that this form gets wrong, which a kernel of one's own has not.
NARROW = ("add ceil div exp floor floor_divide gelu gelu_and_mul gelu_tanh_and_mul maximum minimum mul reciprocal relu round rsqrt sigmoid "
          "sign silu silu_and_mul sqrt sub trunc").split()
# Operators of float32 that have to be compared, so that the test cannot pass by finding no kernel of the library.
SURELY = "gelu silu tanh relu exp sigmoid add mul silu_and_mul gelu_and_mul gelu_tanh_and_mul".split()
# By the name of the dtype: its type, elements of a pack, the policy, operators.
DTYPES = {"float32": ("float", 4, "bounded", OPERATORS), "bfloat16": ("tileops::device::bf16", 8, "within_2_20", NARROW)}
MORE = 1.01  # so many times the arithmetic

INSTRUCTION = re.compile(r"\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)")
ARGUMENT = re.compile(r"U?LDCU?\b")
ARITHMETIC = re.compile(r"[FD](ADD|MUL|FMA|MNMX)|MUFU")

KERNELS = """#include <tileops/device/cuda.h>
#include <tileops/device/transform.h>
namespace own { using namespace tileops::device; }
using namespace tileops::kernels;
template <int Operands, class S, int Units> struct spec_of;
template <class S, int Units> struct spec_of<1, S, Units> { using type = transform_spec<types<S>, types<S>, Units>; };
template <class S, int Units> struct spec_of<2, S, Units> { using type = transform_spec<types<S, S>, types<S>, Units>; };
template <class S, int Units> struct spec_of<3, S, Units> { using type = transform_spec<types<S, S, S>, types<S>, Units>; };
static __device__ void read(float (&v)[4], const float4* x, long long i) { const float4 p = x[i]; v[0] = p.x, v[1] = p.y, v[2] = p.z, v[3] = p.w; }
"""


def kernels_of(dtype, operator, operands, units):
    element, _, policy, _ = DTYPES[dtype]
    body = f"typename tileops::device::form_of<op::{operator}, {policy}>::body"
    spec = f"typename spec_of<{operands}, {element}, {units}>::type"
    text = (f'extern "C" __global__ void __launch_bounds__(128) transform__{dtype}__{operator}__{units}(const __grid_constant__ '
            f"transform_arguments<{spec}, {body}> a) {{ run_transform<{spec}, {body}>(a); }}\n")
    if units == 1 and dtype == "float32":
        given = ", ".join(f"const float4* x{i}" for i in range(operands))
        reads = "".join(f" float v{i}[4]; read(v{i}, x{i}, i);" for i in range(operands))
        arrays = ", ".join(f"v{i}" for i in range(operands))
        text += (f'extern "C" __global__ void __launch_bounds__(128) apply__{dtype}__{operator}__1(float4* y, {given}, long long packs) {{\n'
                 f"  const long long i = blockIdx.x * 128ll + threadIdx.x;\n  if (i >= packs) return;\n {reads} float r[4];\n"
                 f"  own::apply<op::{operator}, own::bounded>({arrays}, r);\n  y[i] = make_float4(r[0], r[1], r[2], r[3]);\n}}\n")
    return text


def counted(names):
    names = [n for n in names if n != "NOP" and not ARGUMENT.match(n)]
    return collections.Counter(all=len(names), arithmetic=sum(bool(ARITHMETIC.match(n)) for n in names))


def without_end(lines):
    """But for the jump to itself, and what fills up behind it, that end each function."""
    names = [name for _, name in lines]
    while names and names[-1] in ("NOP", "BRA"):
        names.pop()
    return names


def of_the_library(tool, program, arch, dtype, folder):
    """{(dtype, operator, units): counts} of kernels with packs of the dtype's size."""
    _, pack, _, operators = DTYPES[dtype]
    done = subprocess.run([program, "--sample", "--only", ",".join(operators), dtype, "--contiguous", folder, str(arch), "-"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: tileops_pack for sm_{arch}: {done.stdout}{done.stderr}")
    text = subprocess.run([tool, "--binary", f"SM{arch}", f"{folder}/code"], capture_output=True, text=True, check=True).stdout
    code = [(int(m[1], 16), m[2]) for m in map(INSTRUCTION.match, text.splitlines()) if m]
    rows = [line.split("\t") for line in pathlib.Path(folder, "list").read_text().splitlines()]
    ends = [int(row[0]) for row in rows[1:]] + [code[-1][0] + 1]
    found = {}
    for row, end in zip(rows, ends):
        if m := re.fullmatch(rf"(\w+)<float32>\((?:\w+ dense[,)] ?)+->.*@flatx{pack}(?:x(\d+))? .*", row[-1]):
            found[dtype, m[1], int(m[2] or 1)] = counted(without_end([line for line in code if int(row[0]) <= line[0] < end]))
    return found


def of_the_headers(tool, nvrtc, arch, source, folder):
    image, log = nvrtc.compile(source, f"sm_{arch}")
    if image is None:
        sys.exit(f"FAILED: for sm_{arch}:\n{log}")
    file = pathlib.Path(folder, "headers.cubin")
    file.write_bytes(image)
    text = subprocess.run([tool, "-c", file], capture_output=True, text=True, check=True).stdout
    found = {}
    for section in re.split(r"\n\s*\.section\s+", text):
        if m := re.match(r"\.text\.(\w+?)__(\w+?)__(\w+)__(\d+)", section):
            code = [(int(i[1], 16), i[2]) for i in map(INSTRUCTION.match, section.splitlines()) if i]
            found[m[1], m[2], m[3], int(m[4])] = counted(without_end(code))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack")
    parser.add_argument("archs", nargs="+", type=int)
    parser.add_argument("--table", action="store_true", help="print all that is compared")
    args = parser.parse_args()
    nvrtc = device_code.Nvrtc()
    tool = shutil.which("nvdisasm", path=f"{device_code.CUDA_HOME}/bin") or shutil.which("nvdisasm")
    if not nvrtc.lib or not tool:
        print(f"skipped: {'no nvdisasm on the path or in ' + device_code.CUDA_HOME if nvrtc.lib else nvrtc.why}")
        return 77
    operands = {o: n for (n, _), names in device_bitcode.OPERATORS.items() for o in names.split()}
    failed, compared = [], 0
    for arch in args.archs:
        with tempfile.TemporaryDirectory() as folder:
            library = {}
            for dtype in DTYPES:
                library.update(of_the_library(tool, args.pack, arch, dtype, folder))
            failed += [f"sm_{arch}: the library has no kernel of {o} on {dtype} to compare with"
                       for dtype, names in (("float32", SURELY), ("bfloat16", NARROW)) for o in names if (dtype, o, 1) not in library]
            source = KERNELS + "".join(kernels_of(dtype, o, operands[o], units) for dtype, o, units in library)
            headers = of_the_headers(tool, nvrtc, arch, source, folder)
        for (kind, dtype, operator, units), counts in sorted(headers.items()):
            most = library[dtype, operator, units]
            compared += 1
            line = (f"sm_{arch} {operator} on {dtype}, {units} packs a thread: {counts['all']} instructions by {kind}, {most['all']} the "
                    f"library's; of arithmetic {counts['arithmetic']} and {most['arithmetic']}")
            more = dtype == "float32" and counts["arithmetic"] > MORE * most["arithmetic"]
            if counts["all"] > most["all"] or more:
                failed.append(line)
            elif args.table:
                print(line)
    print("\n".join(f"FAILED {f}" for f in failed) or f"{compared} kernels, none with more instructions than the library's own")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
