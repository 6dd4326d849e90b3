#!/usr/bin/env python3
"""Keeps the arrows of docs/architecture.md: who may include whom. Nothing includes upwards, no circles.

usage: arrows.py ROOT

A place is a folder or a file below src/, or the public headers; a file belongs to the longest place that
its path begins with. Each row names the places that a place may include beside itself, and theirs with them.
"""

import pathlib
import re
import sys

PLACES = {
    "include/tileops/device": ["include/tileops/device/cuda/common/bare_clang.h"],
    # What is the same on every GPU's registers: for kernels of the library and of its users.
    "include/tileops/device/cuda/common/bare_clang.h": [],
    "include/tileops/device/cuda/common": ["include/tileops/device"],
    "include/tileops/device/cuda/math": ["include/tileops/device/cuda/common"],
    "include/tileops/device/cuda/forms": ["include/tileops/device/cuda/math"],
    "include/tileops/device/cuda": ["include/tileops/device/cuda/forms"],
    # What a kernel is beside its operator: where elements lie, how they get to registers and back.
    "include/tileops/device/cuda/kernel": ["include/tileops/device/cuda/common"],
    "include/tileops/device/tile/operators.h": ["include/tileops/device/cuda"],
    "include/tileops/device/transform": ["include/tileops/device/cuda", "include/tileops/device/cuda/kernel"],
    "include/tileops": ["include/tileops/device"],
    "src/base": ["include/tileops"],
    "src/op": ["src/base"],
    "src/store": ["src/op"],
    "src/problem": ["src/op"],
    "src/plan": ["src/problem", "src/store"],
    "src/lower": ["src/problem"],
    "src/expr/graph": ["src/lower"],
    "src/expr/nodes": ["src/expr/graph"],
    "src/expr/parse": ["src/expr/nodes"],
    "src/expr/gradient": ["src/expr/parse"],
    "src/expr/infer": ["src/expr/nodes"],
    "src/expr/frame": ["src/expr/infer"],
    "src/expr/views": ["src/expr/frame"],
    "src/expr/split": ["src/expr/frame"],
    "src/expr/lower": ["src/expr/views", "src/expr/split"],
    # What runs on the CPU, from the registers up.
    "src/cpu/pairs.def": [],
    "src/cpu/kernel.h": ["src/op", "src/cpu/pairs.def"],
    "src/cpu/reduce.h": ["src/cpu/kernel.h"],
    "src/cpu/simd": ["src/cpu/reduce.h"],
    "src/cpu/forms": ["src/cpu/simd"],
    "src/cpu/loops": ["src/cpu/forms"],
    "src/cpu/isa": ["src/cpu/loops"],
    "src/cpu/vbmi": ["src/cpu/loops"],
    "src/cpu/threads": ["src/base"],
    "src/cpu/memory": ["src/cpu/kernel.h", "src/problem"],
    "src/cpu/exec": ["src/cpu/memory", "src/cpu/threads", "src/plan"],
    "src/cpu/source": ["src/cpu/exec"],
    "src/cpu/program": ["src/cpu/source"],
    "src/cpu": ["src/cpu/program", "src/cpu/reduce.h"],
    # What runs on a GPU (text for the run-time compiler), and what brings it there.
    "src/cuda/kernels/common": ["include/tileops/device/cuda", "include/tileops/device/cuda/kernel"],
    "src/cuda/kernels/core": ["src/cuda/kernels/common"],
    "src/cuda/kernels/strategies": ["src/cuda/kernels/core"],
    "src/cuda/kernels/rows": ["src/cuda/kernels/core"],
    "src/cuda/kernels": ["src/cuda/kernels/strategies", "src/cuda/kernels/rows"],
    "src/cuda/driver": ["src/base"],
    "src/cuda/tuning": ["src/op", "src/cuda/kernels/common"],
    "src/cuda/steps": ["src/problem"],
    "src/cuda/spec": ["src/cuda/steps", "src/cuda/kernels/common", "src/problem"],
    "src/cuda/select": ["src/cuda/spec", "src/cuda/tuning", "src/problem"],
    "src/cuda/jit": ["src/cuda/driver", "src/cuda/select", "src/plan"],
    "src/cuda/launch": ["src/cuda/jit"],
    "src/cuda": ["src/cuda/launch"],
    "src/registry.cc": ["src/cpu", "src/cuda"],
    "src/api": ["src/plan", "src/lower", "src/expr/gradient", "src/expr/lower", "src/cpu", "src/cuda"],
    "src/cli": ["include/tileops"],
}


def place_of(path):
    found = [p for p in PLACES if path == p or path.startswith(p + "/") or path.startswith(p + ".")]
    return max(found, key=len, default=None)


def allowed(place, seen=None):
    seen = set() if seen is None else seen
    if place not in seen:
        seen.add(place)
        for below in PLACES[place]:
            allowed(below, seen)
    return seen


def includes(root, path):
    """The files of this tree that a file includes."""
    for name in re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', (root / path).read_text(), re.M):
        for folder in (path.parent, pathlib.Path("src"), pathlib.Path("include")):
            target = (root / folder / name).resolve()
            if target.is_file() and target.is_relative_to(root):
                yield target.relative_to(root)
                break


def circle(graph):
    """A circle of files, if there is one."""
    done, path = set(), []

    def visit(file):
        if file in path:
            return path[path.index(file):] + [file]
        if file in done:
            return None
        path.append(file)
        for target in graph[file]:
            found = visit(target)
            if found:
                return found
        path.pop()
        done.add(file)
        return None

    return next(filter(None, map(visit, sorted(graph))), None)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [p.relative_to(root) for folder in ("src", "include") for p in sorted((root / folder).rglob("*"))
             if p.suffix in (".h", ".cc", ".hpp", ".def")]
    graph = {f: sorted(set(includes(root, f))) for f in files}
    failures = []
    for file, targets in graph.items():
        place = place_of(str(file))
        if place is None:
            failures.append(f"{file}: is in no place that tests/house/arrows.py names")
            continue
        may = allowed(place)
        failures += [f"{file}: must not include {t} ({place} is below {place_of(str(t))})"
                     for t in targets if place_of(str(t)) not in may]
    found = circle(graph)
    if found:
        failures.append("circle: " + " -> ".join(map(str, found)))
    unused = [p for p in PLACES if not any(place_of(str(f)) == p for f in files)]
    failures += [f"tests/house/arrows.py: {p} is not there" for p in unused]
    print("\n".join(failures) or f"{len(files)} files, {sum(map(len, graph.values()))} arrows, none upwards")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
