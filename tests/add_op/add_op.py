#!/usr/bin/env python3
"""Takes the steps of docs/adding.md, "An operator", as they are printed there, in a copy of the tree.

Counts the lines that changed (at most 2 files and 15 lines), builds, and looks for the operator in the introspection, in the
command, in every dtype on the CPU, in the generic runner of tests/ops and in the table of the README.
"""
import argparse
import ctypes as c
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time

NAME = "softsign"
MOST_FILES, MOST_LINES = 2, 15

# DLPack code, bits, and the largest relative error of one rounding.
DTYPES = {"float32": (2, 32, 2**-23), "float64": (2, 64, 2**-24), "float16": (2, 16, 2**-11),
          "bfloat16": (4, 16, 2**-8), "float8_e4m3fn": (10, 8, 2**-4), "float8_e5m2": (12, 8, 2**-3)}


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


def steps(document):
    """[(file, what its last line of that kind begins with, text to insert after it)] of the section "An operator"."""
    section = re.search(r"^## An operator$(.*?)^## ", document.read_text(), re.M | re.S)[1]
    found = re.findall(r"In `([^`]+)`, after the last `([^`]+)`:\n\n *```c\n(.*?) *```", section, re.S)
    require(len(found) == 2, f"{document.name} has two places to touch")
    return [(path, start, textwrap.dedent(text)) for path, start, text in found]


def insert_after_last(path, start, line):
    """Inserts a line after the last one that begins so."""
    lines = path.read_text().splitlines(keepends=True)
    last = max(i for i, text in enumerate(lines) if text.startswith(start))
    path.write_text("".join(lines[: last + 1] + [line] + lines[last + 1:]))


def copy_tree(source, tree):
    """A copy without builds, under a version control of its own, so that changes can be counted."""
    ignore = shutil.ignore_patterns(".git", ".venv", "build", "build-*", "__pycache__", "prefix")
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
               "-DTILEOPS_TESTS=ops", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
    if args.cxx:
        options.append(f"-DCMAKE_CXX_COMPILER={args.cxx}")
    start = time.monotonic()
    run(args.cmake, "-S", tree, "-B", out, "-G", args.generator, *options)
    run(args.cmake, "--build", out, "--parallel", "2", "--target", *targets)
    print(f"ok    built in {time.monotonic() - start:.0f} s")


class Device(c.Structure):
    _fields_ = [("type", c.c_int32), ("id", c.c_int32)]


class DataType(c.Structure):
    _fields_ = [("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16)]


class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device", Device), ("ndim", c.c_int32), ("dtype", DataType),
                ("shape", c.POINTER(c.c_int64)), ("strides", c.c_void_p), ("byte_offset", c.c_uint64)]


class Library:
    """As much of the C API as applies an operator of one operand."""

    def __init__(self, path):
        self.lib = c.CDLL(str(path))
        self.lib.tileops_last_error.restype = c.c_char_p
        self.lib.tileops_op_from_name.argtypes = [c.c_char_p]
        self.lib.tileops_plan_create_like.argtypes = [
            c.c_void_p, c.c_int32, c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t, c.c_void_p,
            c.c_size_t, c.c_void_p]
        self.lib.tileops_execute.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t, c.c_void_p,
                                             c.c_size_t, c.c_void_p]
        self.lib.tileops_plan_destroy.argtypes = [c.c_void_p]

    def op(self, name):
        return self.lib.tileops_op_from_name(name.encode())

    def check(self, status):
        if status:
            sys.exit(f"add_op: {self.lib.tileops_last_error().decode()}")

    def apply(self, name, source, count, from_dtype, to_dtype):
        """The bytes of `name` applied to `count` elements."""
        def tensor(buffer, dtype):
            code, bits, _ = DTYPES[dtype]
            return Tensor(c.addressof(buffer), Device(1, 0), 1, DataType(code, bits, 1), shape, None, 0)
        shape = (c.c_int64 * 1)(count)
        result = c.create_string_buffer(count * DTYPES[to_dtype][1] // 8)
        x, y = tensor(source, from_dtype), tensor(result, to_dtype)
        ins, outs, plan = (c.c_void_p * 1)(c.addressof(x)), (c.c_void_p * 1)(c.addressof(y)), c.c_void_p()
        self.check(self.lib.tileops_plan_create_like(None, self.op(name), ins, 1, outs, 1, None, 0,
                                                     c.byref(plan)))
        self.check(self.lib.tileops_execute(plan, ins, 1, outs, 1, None))
        self.lib.tileops_plan_destroy(plan)
        return result


def require_values(library):
    values = [-100.0, -7.5, -1.0, -0.25, 0.0, 0.5, 1.0, 3.0, 20.0, 448.0]
    count = len(values)
    start = (c.c_float * count)(*values)
    for dtype, (_, _, error) in DTYPES.items():
        x = library.apply("cast", start, count, "float32", dtype)
        y = library.apply(NAME, x, count, dtype, dtype)

        def floats(buffer, of=dtype):
            return (c.c_float * count).from_buffer(library.apply("cast", buffer, count, of, "float32"))
        worst = max(abs(got - v / (1 + abs(v))) for v, got in zip(floats(x), floats(y)))
        require(worst <= error, f"{NAME} of {dtype} on the CPU: largest error {worst:.2g}")


def require_command(tileops):
    require(NAME in run(tileops, "ops"), "listed by `tileops ops`")
    info = json.loads(run(tileops, "ops", "--json", NAME))[0]
    require(info["name"] == NAME and info["category"] == "activation", "described by `tileops ops --json`")
    table = run(tileops, "ops", "--markdown")
    require(any(NAME in line and line.startswith("|") for line in table.splitlines()),
            "in the table of `tileops ops --markdown`")


def require_readme(tree, tileops):
    script, readme = tree / "tools/gen_docs.py", tree / "README.md"
    if not script.exists() or "<!-- begin:ops -->" not in (readme.read_text() if readme.exists() else ""):
        print("skip  README table: no tools/gen_docs.py or no table in README.md")
        return
    run(sys.executable, script, "--tileops", tileops)
    require(NAME in readme.read_text(), "in README.md after tools/gen_docs.py")


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
    parser.add_argument("--isa", default="baseline", help="the one instruction set to build for")
    parser.add_argument("--build-type", default="Debug", help="the quickest to build")
    args = parser.parse_args()
    if not shutil.which("git"):
        print("skipped: git, which counts the changed lines, is not installed")
        return 77
    with tempfile.TemporaryDirectory(prefix="tileops-add-op-") as temp:
        tree, out = pathlib.Path(temp) / "tree", pathlib.Path(temp) / "build"
        git = copy_tree(args.source, tree)
        for path, start, text in steps(tree / "docs/adding.md"):
            insert_after_last(tree / path, start, text)
        require_small(git)

        runner = (tree / "tests/ops/CMakeLists.txt").exists()
        build(args, tree, out, ["tileops", "tileops_cli"] + (["tileops_ops_test"] if runner else []))
        library = Library(out / "libtileops.so")
        require(library.op(NAME) == 399, f"tileops_op_from_name(\"{NAME}\") is its id")
        require_values(library)
        require_command(out / "src/cli/tileops")
        require_readme(tree, out / "src/cli/tileops")
        if runner:
            require_runner(out / "tests/ops/tileops_ops_test")
        else:
            print("skip  generic runner: no tests/ops")
    return 0


if __name__ == "__main__":
    sys.exit(main())
