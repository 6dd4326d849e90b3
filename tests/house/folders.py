#!/usr/bin/env python3
"""Each thing lies where it is looked for.

usage: folders.py ROOT

A folder of src and include has at most 16 files, and a file at most 350 lines. What a header of src declares, a function or a class with its members, is
defined in that header's folder.
"""

import collections
import pathlib
import sys

from sources import Reader

MOST = 16
MOST_LINES = 350
# The C API, which is one header, and tables, which grow by a line a row.
LONG = {"tileops.h"}
TABLES = {".def"}
# The one file that names both backends (docs/architecture.md); plan, which calls it, stands below it.
REGISTRY = {("tileops", "backend_of"), ("tileops", "all_backends")}


def folder_of(name):
    return str(pathlib.Path(name.file).parent)


def places(found):
    return " ".join(sorted(found)) or "nowhere"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = [p.relative_to(root) for folder in ("src", "include") for p in sorted((root / folder).rglob("*")) if p.is_file()]
    failures = []
    for folder, count in collections.Counter(str(f.parent) for f in files).items():
        if count > MOST:
            failures.append(f"{folder}: has {count} files, more than {MOST}: divide it by what its files are for")
    for file in files:
        lines = len((root / file).read_text().splitlines())
        if lines > MOST_LINES and file.name not in LONG and file.suffix not in TABLES:
            failures.append(f"{file}: has {lines} lines, more than {MOST_LINES}: it holds several things")
    defined, declared, members = collections.defaultdict(set), [], []
    for file in files:
        if file.parts[0] == "src" and file.suffix in (".h", ".cc"):
            read = Reader(str(file), (root / file).read_text())
            for name in read.names:
                defined[name.key].add(str(file.parent))
            declared += [d for d in read.declared if file.suffix == ".h"]
            members += read.members
    for d in declared:
        if d.key not in REGISTRY and folder_of(d) not in defined[d.key]:
            failures.append(f"{d.file}:{d.line}: {d.key[1]}() is declared here and defined in {places(defined[d.key])}")
    for m in members:
        if defined[m.key] and folder_of(m) not in defined[m.key]:
            failures.append(f"{m.file}:{m.line}: a member of {m.key[1]}, a class of {places(defined[m.key])}")
    print("\n".join(failures) or f"{len(files)} files, {len(declared)} functions, {len(members)} members: each lies where it is looked for")
    return bool(failures) or len(declared) < 100


if __name__ == "__main__":
    sys.exit(main())
