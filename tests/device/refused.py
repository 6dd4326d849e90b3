#!/usr/bin/env python3
"""Code that the headers of tileops/device refuse: the compiler says why in one line that a reader understands.

usage: refused.py INCLUDE --cxx CXX [--cuda-home DIR]

Compiles each piece of wrong code by the host's compiler and, where they are found, by NVRTC, by nvcc and by Clang without a
toolkit, and looks at what they print: exactly one error, with the words that belong to it. A piece of right code goes
before, so that a compiler which refuses everything is found out. Which compilers are missing is printed.
"""

import argparse
import ctypes
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TILES = """#include <tileops/device/tile.h>
using namespace tileops::device;
using accumulators = accumulator_layout<16, 8>;
using rows = row_per_lane_layout<8>;
struct add { template <class A, class B> TILEOPS_FN A operator()(A a, B b) const { return a + b; } };
using block = block_layout<accumulators, 1, 2>;
using odd_block = block_layout<accumulator_layout<16, 24>, 1, 2>;
namespace tiles = tileops::device_detail::tiles;
using sum = reductions::sum<float>;
struct lanes { static TILEOPS_FN unsigned from(unsigned x, int) { return x; } };
struct add_arrays {
  template <class A, class B, class C> TILEOPS_FN void operator()(const A& a, const B& b, C& c) const { c[0] = a[0] + b[0]; }
};
"""
# name, code, words of the one error
CASES = [
    ("right", "TILEOPS_FN void f(tile<float, accumulators>& x, tile<float, accumulators>& y) { apply(add(), x, y, y); }",
     None),
    ("tiles", "TILEOPS_FN void f(tile<float, accumulators>& x, tile<float, rows>& y) { apply(add(), x, y, y); }",
     "tiles of different layouts"),
    ("result", "TILEOPS_FN void f(tile<float, accumulators>& x, tile<float, rows>& y) { apply(add(), x, x, y); }",
     "tiles of different layouts"),
    ("vector", "TILEOPS_FN void f(tile<float, accumulators>& x, row_vector<float, rows>& y) { apply(add(), x, y, x); }",
     "tiles of different layouts"),
    ("bundle", "TILEOPS_FN void f(tile<float, accumulators>& x, tile<float, rows>& y) { apply_bundle(add_arrays(), x, y, y); }",
     "tiles of different layouts"),
    ("no tile last", "TILEOPS_FN void f(tile<float, rows>& x, row_vector<float, rows>& y) { apply(add(), x, x, y); }",
     "the last argument is the result"),
    ("rows of a block", "TILEOPS_FN void f(tile<float, block>& x, row_parts<block>& p) { tiles::leave_parts<sum, lanes>(x, 0, &p); }",
     None),
    ("rows of several warps", "TILEOPS_FN void f(tile<float, block>& x) { tiles::reduce_rows_of<sum, lanes>(x, 0); }",
     "give row_parts<Layout> in shared memory"),
    ("parts that are no nodes",
     "TILEOPS_FN void f(tile<float, odd_block>& x, row_parts<odd_block>& p) { tiles::leave_parts<sum, lanes>(x, 0, &p); }",
     "no power of two"),
    ("array", "TILEOPS_FN void f(float (&x)[5]) { as_tile<rows>(x); }", "another number of elements"),
]


class Nvrtc:
    def __init__(self, home):
        found = sorted(pathlib.Path(home).glob("lib*/libnvrtc.so.1[23]")) if home else []
        self.lib = None
        if found:
            for builtins in sorted(found[0].parent.glob("libnvrtc-builtins.so.*")):
                ctypes.CDLL(str(builtins))
            self.lib = ctypes.CDLL(str(found[0]))

    def compile(self, source, include):
        program, size = ctypes.c_void_p(), ctypes.c_size_t()
        self.lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"refused.cu", 0, None, None)
        options = [b"--std=c++17", b"--gpu-architecture=sm_90", b"-I" + str(include).encode()]
        result = self.lib.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
        self.lib.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        self.lib.nvrtcGetProgramLog(program, log)
        self.lib.nvrtcDestroyProgram(ctypes.byref(program))
        return result, log.value.decode(errors="replace")


def compilers(args, folder):
    """[(name, function of a source to exit status and output)]"""
    def command(words, name):
        def run(source):
            path = folder / name
            path.write_text(source)
            done = subprocess.run([*words, "-I", args.include, path], capture_output=True, text=True, cwd=folder)
            return done.returncode, done.stdout + done.stderr
        return run

    found = [("the host's", command([args.cxx, "-std=c++17", "-fsyntax-only"], "refused.cc"))]
    nvrtc = Nvrtc(args.cuda_home)
    if nvrtc.lib:
        found.append(("NVRTC", lambda source: nvrtc.compile(source, args.include)))
    nvcc = shutil.which("nvcc", path=f"{args.cuda_home}/bin") or shutil.which("nvcc")
    if nvcc:
        found.append(("nvcc", command([nvcc, "-std=c++17", "-arch=sm_90", "-cubin", "-o", "refused.cubin"], "refused.cu")))
    clang = next(filter(None, map(shutil.which, ("clang++", "clang++-19", "clang++-18", "clang++-17"))), None)
    if clang:
        found.append(("Clang", command([clang, "-x", "cuda", "-std=c++17", "--cuda-gpu-arch=sm_80", "--cuda-device-only",
                                        "-nocudainc", "-nocudalib", "-fsyntax-only"], "clang.cu")))
    for name in ("NVRTC", "nvcc", "Clang"):
        if name not in [n for n, _ in found]:
            print(f"not found, left out: {name}")
    return found


def problem(status, output, words):
    if words is None:
        return f"refuses right code:\n{output}" if status else None
    # "1 error generated" is a count, and a line of source that is shown may have the word.
    errors = [line for line in output.splitlines()
              if re.search(r"\berror\b(?!s? (?:generated|detected))(?: #\S+)?:", line, re.I)]
    if not status:
        return "takes it"
    if len(errors) != 1 or words not in errors[0]:
        return f"{len(errors)} errors, expected one with '{words}':\n" + output
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("include", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--cuda-home", type=lambda p: str(pathlib.Path(p).resolve()) if p else "")
    args = parser.parse_args()
    failed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for compiler, run in compilers(args, pathlib.Path(folder)):
            for name, code, words in CASES:
                total += 1
                found = problem(*run(TILES + code + "\n"), words)
                if found:
                    failed += 1
                    print(f"FAILED {compiler}, {name}: {found}")
    print(f"{total} pieces of code, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
