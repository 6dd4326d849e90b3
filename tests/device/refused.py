#!/usr/bin/env python3
"""Code that the headers of tileops/device refuse: the compiler says why in one line that a reader understands.

usage: refused.py INCLUDE --cxx CXX [--cuda-home DIR] [--tiles]

Compiles each piece of wrong code of refused_cases.py by the host's compiler and, where they are found, by NVRTC, by nvcc and by
Clang without a toolkit, and looks at what they print: exactly one error, with the words that belong to it, in no more lines than
are allowed. Pieces of right code are among them, so that a compiler which refuses everything is found out. Which compilers are
missing is printed.
"""

import argparse
import concurrent.futures
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import refused_cases

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
    """{name: function of a source and of a number for its file to exit status and output}"""
    def command(words, name, suffix):
        def run(source, number):
            path = folder / f"{name.strip(chr(39)).replace(' ', '_')}{number}{suffix}"
            path.write_text(source)
            done = subprocess.run([*words, "-I", args.include, path], capture_output=True, text=True, cwd=folder)
            return done.returncode, done.stdout + done.stderr
        return run

    found = {"the host's": command([args.cxx, "-std=c++17", "-fsyntax-only"], "host", ".cc"),
             "the host's, C++14": command([args.cxx, "-std=c++14", "-fsyntax-only"], "host14", ".cc")}
    nvrtc = Nvrtc(args.cuda_home)
    if nvrtc.lib:
        found["NVRTC"] = lambda source, _: nvrtc.compile(source, args.include)
    nvcc = shutil.which("nvcc", path=f"{args.cuda_home}/bin") or shutil.which("nvcc")
    if nvcc:
        found["nvcc"] = command([nvcc, "-std=c++17", "-arch=sm_90", "-cubin", "-o", os.devnull], "nvcc", ".cu")
    clang = next(filter(None, map(shutil.which, ("clang++", "clang++-19", "clang++-18", "clang++-17"))), None)
    if clang:
        found["Clang"] = command([clang, "-x", "cuda", "-std=c++17", "--cuda-gpu-arch=sm_80", "--cuda-device-only",
                                  "-nocudainc", "-nocudalib", "-fsyntax-only", "-include", "__clang_cuda_builtin_vars.h"], "clang", ".cu")
    for name in ("NVRTC", "nvcc", "Clang"):
        if name not in found:
            print(f"not found, left out: {name}")
    return found


def problem(status, output, words, most):
    if words is None:
        return f"refuses right code:\n{output[:3000]}" if status else None
    # "1 error generated" is a count, and a line of source that is shown may have the word.
    errors = [line for line in output.splitlines()
              if re.search(r"\berror\b(?!s? (?:generated|detected))(?: #\S+)?:", line, re.I)]
    if not status:
        return "takes it"
    if not words and len(errors) == 1:  # the compiler's own words
        words = errors[0]
    if len(errors) != 1 or words not in errors[0]:
        return f"{len(errors)} errors, expected one with '{words}':\n" + output[:3000]
    lines = [line for line in output.splitlines() if line.strip()]
    return f"{len(lines)} lines, {most} at most:\n{output[:3000]}" if len(lines) > most else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("include", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--cuda-home", type=lambda p: str(pathlib.Path(p).resolve()) if p else "")
    parser.add_argument("--tiles", action="store_true", help="those of tiles alone, by the host's compiler and NVRTC")
    args = parser.parse_args()
    c = refused_cases
    groups = [(("the host's", "NVRTC") if args.tiles else ("the host's", "NVRTC", "Clang"), c.TILES, c.TILE_CASES)]
    if not args.tiles:
        groups += [(("NVRTC", "Clang"), c.ARRAYS, c.ARRAY_CASES), (("nvcc",), c.TRANSFORM, c.TRANSFORM_CASES),
                   (("the host's",), "", c.DIALECT_CASES), (("the host's, C++14",), "", c.OLD_CASES)]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        found = compilers(args, pathlib.Path(folder))
        work = [(name, beginning + case[1] + "\n", case) for names, beginning, cases in groups for name in names if name in found
                for case in cases]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            said = pool.map(lambda item: problem(*found[item[1][0]](item[1][1], item[0]), *item[1][2][2:]), enumerate(work))
            for (compiler, _, case), wrong in zip(work, said):
                if wrong:
                    failed += 1
                    print(f"FAILED {compiler}, {case[0]}: {wrong}")
    print(f"{len(work)} pieces of code, {failed} wrong; {sum(case[2] is not None for _, _, cases in groups for case in cases)} misuses")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
