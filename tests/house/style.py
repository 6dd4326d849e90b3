#!/usr/bin/env python3
"""Keeps the style of the C and C++ sources: .clang-format and the names of src/.clang-tidy.

usage: style.py format [--fix]   every source is as clang-format would write it; --fix writes it so
       style.py naming BUILD     names of folders of src, by the compile commands of a build folder
       style.py installed        exit status 0 if the tools are here in the versions of requirements.txt

The tools are those of .venv, or of the path. Exit status 77: skipped, with the reason printed.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SUFFIXES = {".h", ".hpp", ".c", ".cc", ".cu"}
FORMATTED = ["src", "include", "tests", "bindings/python/src"]
# Names of other folders are seen where these include their headers; to parse all would take minutes.
NAMED = ["src/base", "src/op", "src/store", "src/plan", "src/lower", "src/expr", "src/api", "src/cli"]
# Slow to parse, and with few names of their own: the headers of the command's libraries.
HEAVY = re.compile(r"#include <(CLI|nlohmann)/")


def pinned(tool):
    return re.search(rf"^{tool}==(\S+)", (HERE / "requirements.txt").read_text(), re.M).group(1)


def find(tool):
    """Path of a tool in its pinned version, or why there is none."""
    venv = ROOT / ".venv/bin" / tool
    path = str(venv) if venv.exists() else shutil.which(tool)
    if not path:
        return None, f"no {tool}: ./dev setup"
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    if pinned(tool) not in text:
        found = re.search(r"version (\S+)", text)
        return None, f"{path} is {found.group(1) if found else 'broken'}, not {pinned(tool)}: ./dev setup"
    return path, None


def need(tool):
    path, why = find(tool)
    if why:
        print(f"skipped: {why}")
        sys.exit(77)
    return path


def in_parallel(commands):
    """Runs commands; True if all succeed. What fails is printed."""
    def run(command):
        return subprocess.run(command, capture_output=True, text=True, check=False)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(run, commands))
    for result in results:
        if result.returncode != 0:
            print(result.stdout + result.stderr)
    return all(result.returncode == 0 for result in results)


def check_format(fix):
    tool = need("clang-format")
    files = sorted(str(p) for folder in FORMATTED for p in (ROOT / folder).rglob("*") if p.suffix in SUFFIXES)
    mode = ["-i"] if fix else ["--dry-run", "-Werror", "--ferror-limit=1"]
    good = True
    for _ in range(2 if fix else 1):  # once is not always enough: comments that move change what is next to them
        good &= in_parallel([[tool, *mode, *files[i:i + 40]] for i in range(0, len(files), 40)])
    print(f"{len(files)} files" if good else "not as .clang-format says: ./dev format")
    return good


def check_naming(build):
    tool = need("clang-tidy")
    database = pathlib.Path(build) / "compile_commands.json"
    if not database.exists():
        print(f"skipped: no {database}")
        sys.exit(77)
    compiled = {os.path.join(c["directory"], c["file"]) for c in json.loads(database.read_text())}
    files = sorted(str(p) for folder in NAMED for p in (ROOT / folder).rglob("*.cc")
                   if str(p) in compiled and not HEAVY.search(p.read_text()))
    if not files:
        print(f"{database}: has no file of {', '.join(NAMED)}")
        return False
    config = f"--config-file={ROOT / 'src/.clang-tidy'}"
    good = in_parallel([[tool, config, "--extra-arg=-w", "--quiet", "-p", build, *files[i:i + 4]] for i in range(0, len(files), 4)])
    print(f"{len(files)} files")
    return good


def main():
    command, *rest = sys.argv[1:] or [""]
    if command == "format":
        return check_format("--fix" in rest)
    if command == "naming" and rest:
        return check_naming(rest[0])
    if command == "installed":
        return not any(find(tool)[1] for tool in ("clang-format", "clang-tidy"))
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
