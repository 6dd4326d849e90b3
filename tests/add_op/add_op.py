#!/usr/bin/env python3
"""Takes the steps of docs/adding.md as they are printed there, in a copy of the tree, and builds it.

An operator: at most 2 files and 15 lines; it is in the introspection, in the command, in every dtype on the CPU, in the generic
runner of tests/ops and in the table of docs/operators.md. A dtype: the operator takes it, and it survives conversions. An
architecture: the library is built for the new instruction set, and the new GPU has its numbers. A function of
expressions, derivatives and a named expression: the command and the library know them.
"""
import argparse
import ctypes as c
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time

from library import DTYPES, Library
from steps import steps_of, take

NAME = "isru"
MOST_FILES, MOST_LINES = 2, 15
OTHERS = {"A dtype": 4, "An architecture": 4, "A function of expressions": 2, "A derivative": 1, "A fusion": 3}  # steps


def run(*command, **options):
    command = [str(part) for part in command]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{done.stdout[-6000:]}\nadd_op: failed ({done.returncode}): {' '.join(command)}")
    return done.stdout


def require(condition, what):
    if not condition:
        sys.exit(f"add_op: {what}")
    print(f"ok    {what}")


def take_steps(tree, section, count):
    found = steps_of(tree / "docs/adding.md", section)
    require(len(found) == count, f"adding.md, {section}: {count} places to touch")
    for step in found:
        take(tree, step)


def copy_tree(source, tree):
    """A copy without builds, under a version control of its own, so that changes can be counted."""
    ignore = shutil.ignore_patterns(".git", ".venv", ".tools", "build", "build-*", "__pycache__", "prefix")
    shutil.copytree(source, tree, ignore=ignore, symlinks=True)
    git = ["git", "-C", tree, "-c", "user.name=test", "-c", "user.email=test@localhost"]
    run(*git, "init", "-q")
    run(*git, "add", "-A")
    run(*git, "commit", "-q", "-m", "the tree as it is")
    return git


def require_small(git):
    rows = [line.split("\t") for line in run(*git, "diff", "--numstat").splitlines()]
    lines = sum(int(added) + int(removed) for added, removed, _ in rows)
    require(len(rows) <= MOST_FILES and lines <= MOST_LINES,
            f"{len(rows)} files and {lines} lines touched (at most {MOST_FILES} and {MOST_LINES})")


def build(args, tree, out, targets):
    # Paths within the copy are made relative, so that the next copy finds these objects.
    os.environ.update(CCACHE_BASEDIR=str(tree.parent), CCACHE_NOHASHDIR="1")
    options = [f"-DCMAKE_BUILD_TYPE={args.build_type}", f"-DTILEOPS_CPU_ISAS={args.isa}",
               f"-DTILEOPS_DLPACK_INCLUDE_DIR={args.dlpack}", "-DTILEOPS_BUILD_TESTS=ON",
               "-DTILEOPS_TESTS=ops", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DCMAKE_UNITY_BUILD=ON"]
    if args.cxx:
        options.append(f"-DCMAKE_CXX_COMPILER={args.cxx}")
    start = time.monotonic()
    run(args.cmake, "-S", tree, "-B", out, "-G", args.generator, *options)
    run(args.cmake, "--build", out, "--parallel", "2", "--target", *targets)
    print(f"ok    built in {time.monotonic() - start:.0f} s")


def require_values(library):
    values = [-100.0, -7.5, -1.0, -0.25, 0.0, 0.5, 1.0, 3.0, 20.0, 448.0]
    count = len(values)
    start = (c.c_float * count)(*values)
    for dtype, (_, _, error) in DTYPES.items():
        x = library.apply("cast", start, count, "float32", dtype)
        y = library.apply(NAME, x, count, dtype, dtype)

        def floats(buffer, of=dtype):
            return (c.c_float * count).from_buffer(library.apply("cast", buffer, count, of, "float32"))
        worst = max(abs(got - v / (1 + v * v) ** 0.5) for v, got in zip(floats(x), floats(y)))
        require(worst <= error, f"{NAME} of {dtype} on the CPU: largest error {worst:.2g}")


def require_dtype(library):
    DTYPES["float8_e4m3"] = (8, 8, 2**-4)
    codes = c.create_string_buffer(bytes(range(256)), 256)
    numbers = library.apply("cast", codes, 256, "float8_e4m3", "float32")
    floats = (c.c_float * 256).from_buffer(numbers)
    require(list(floats[0x38:0x3a]) == [1.0, 1.125] and floats[0x77] == 240 and floats[0xf8] == float("-inf"),
            "numbers of float8_e4m3 are read")
    back = library.apply("cast", numbers, 256, "float32", "float8_e4m3")
    lost = [code for code in range(256) if back.raw[code] != code and floats[code] == floats[code]]
    require(not lost, "every number of float8_e4m3 comes back from float32")


def require_architectures(args, tree, library):
    require(library.build_info().endswith(f"cpu isas {args.isa}"), f"the library is built for {args.isa}")
    text = '#include "cuda/tuning/tuning.h"\nusing tileops::cuda::tuning_of;\n' \
           "static_assert(tuning_of(121).arch == 121 && tuning_of(120).arch == 120 && tuning_of(90).arch == 90);\n"
    run(args.cxx or "c++", "-std=c++17", "-fsyntax-only", "-I", tree / "src", "-I", tree / "include", "-isystem",
        args.dlpack, "-x", "c++", "-", input=text)
    require(True, "sm_121 has numbers of its own")


def require_expressions(library, tileops):
    values = [-3.0, -0.5, 0.0, 1.25, 2.0]
    x = (c.c_float * len(values))(*values)
    got = (c.c_float * len(values)).from_buffer(
        library.evaluate("(x, y) -> cube(x) - cube(2.0) * y", [x, x], len(values), "float32"))
    require(list(got) == [v**3 - 8 * v for v in values], "cube in an expression, of a tensor and of a number")
    for function, gradient in (("isru", "rsqrt(1 + x * x) ** 3"), ("cube", "3 * grad_y0 * x * x")):
        text = run(tileops, "expr", f"(x) -> {function}(x)", "--gradient", "x", "--text")
        require(gradient in text, f"gradient of {function}: {text.strip()}")
    require("isru as a gate" in run(tileops, "expr"), "isru_gate is listed by `tileops expr`")


def require_command(tileops):
    require(NAME in run(tileops, "ops"), "listed by `tileops ops`")
    info = json.loads(run(tileops, "ops", "--json", NAME))[0]
    require(info["name"] == NAME and info["category"] == "activation", "described by `tileops ops --json`")
    table = run(tileops, "ops", "--markdown")
    require(any(NAME in line and line.startswith("|") for line in table.splitlines()),
            "in the table of `tileops ops --markdown`")


def require_documented(tree, tileops):
    run(sys.executable, tree / "tools/gen_docs.py", "--tileops", tileops)
    require(f"| [`{NAME}`]" in (tree / "docs/operators.md").read_text(), "in docs/operators.md after tools/gen_docs.py")


def require_runner(program):
    text = run(program, f"--gtest_filter=*/Ops.*/activation_{NAME}_*", "--gtest_brief=1")
    count = int(re.search(r"\[=+\] (\d+) tests? from", text).group(1))
    passed = int(re.search(r"\[  PASSED  \] (\d+) test", text).group(1))
    require(count >= len(DTYPES) and passed == count, f"{passed} of {count} tests of the generic runner pass")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the tree to copy")
    parser.add_argument("--dlpack", required=True, help="folder that holds dlpack/dlpack.h")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--generator", default="Ninja")
    parser.add_argument("--cxx", default="", help="the C++ compiler")
    parser.add_argument("--isa", default="sse42" if platform.machine() == "x86_64" else "baseline",
                        help="the one instruction set to build for: where it runs, the one that adding.md adds")
    parser.add_argument("--build-type", default="Debug", help="the quickest to build")
    args = parser.parse_args()
    if not shutil.which("git"):
        print("skipped: git, which counts the changed lines, is not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="tileops-add-op-") as temp:
        tree, out = pathlib.Path(temp) / "tree", pathlib.Path(temp) / "build"
        git = copy_tree(args.source, tree)
        take_steps(tree, "An operator", 2)
        require_small(git)
        for section, count in OTHERS.items():
            take_steps(tree, section, count)

        runner = (tree / "tests/ops/CMakeLists.txt").exists()
        build(args, tree, out, ["tileops", "tileops_cli"] + (["tileops_ops_test"] if runner else []))
        library = Library(out / "libtileops.so")
        require(library.op(NAME) == 399, f"tileops_op_from_name(\"{NAME}\") is its id")
        require_dtype(library)
        require_values(library)
        require_architectures(args, tree, library)
        require_expressions(library, out / "src/cli/tileops")
        require_command(out / "src/cli/tileops")
        require_documented(tree, out / "src/cli/tileops")
        if runner:
            require_runner(out / "tests/ops/tileops_ops_test")
        else:
            print("skip  generic runner: no tests/ops")
    return 0


if __name__ == "__main__":
    sys.exit(main())
