#!/usr/bin/env python3
"""Documents and comments speak of the tree that is there: every path and file that they name exists, and every link
of a document leads to a page and a heading that exist.

usage: docs.py ROOT

A path begins with one of the top folders and is one of the repository, or of a folder above the file that names it (a
binding's own src/). A name of a file, such as problem/problem.h, ends the path of some file. What has a word in capitals
(NAME, DIR) stands for many."""

import os
import pathlib
import re
import sys

FOLDERS = "src|include|tests|docs|cmake|tools|bench|bindings|demo"
ENDINGS = "cc|cpp|c|h|hpp|def|cu|py|sh|cmake|md"
PATH = re.compile(rf"(?<![\w/.$<>}}{{=-])((?:{FOLDERS})/[\w./*-]*[\w*])")
FILE = re.compile(rf"(?<![\w/.$<>}}{{=+*-])((?:[\w-]+/)*[\w-]+\.(?:{ENDINGS}))(?![\w(.])")
LINK = re.compile(r"\]\(([^)\s]+)\)")
OTHERS = ("dlpack.h", "xxhash.h", "c10/core/ScalarType.cpp")  # of other projects
MADE = ("include/tileops/third_party",)  # where an installation puts it
PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")
WRITTEN = {".md": r"(?P<text>.*)", ".py": r'(?s:"""(?P<doc>.*?)""")|#(?P<text>.*)',
           **dict.fromkeys((".sh", ".cmake", ".txt", ".jl", ".in", ".toml", ""), r"(?:^|\s)#(?P<text>.*)"),
           **dict.fromkeys((".cc", ".h", ".hpp", ".c", ".cu", ".def", ".go", ".rs"),
                           r"(?s:/\*(?P<doc>.*?)\*/)|//(?P<text>.*)")}
PRUNED = re.compile(r"\..*|work|target|results|vendor|__pycache__")


def files_of(root):
    """Paths of the repository's files, less what builds and measurements make."""
    found = []
    for folder, folders, names in os.walk(root):
        top = pathlib.Path(folder) == root
        folders[:] = [f for f in folders if not PRUNED.fullmatch(f) and (not top or f in FOLDERS.split("|"))]
        found += [(pathlib.Path(folder) / name).relative_to(root) for name in names]
    return found


def written(path, text):
    """(line, text) of what is prose: comments, or all of a document but its blocks of code."""
    if path.suffix == ".md":
        text = re.sub(r"(?ms)^ *```.*?^ *```", lambda m: "\n" * m[0].count("\n"), text)
    for match in re.finditer(WRITTEN[path.suffix], text, re.M):
        groups = match.groupdict()
        for i, line in enumerate((groups.get("doc") or groups.get("text") or "").split("\n")):
            yield text.count("\n", 0, match.start()) + 1 + i, line


def anchors(document):
    """Of its headings, as GitHub makes them."""
    titles = re.findall(r"(?m)^#+ (.*)", re.sub(r"(?ms)^```.*?^```", "", document.read_text()))
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\(.*?\)", "", t).lower()).replace(" ", "-") for t in titles}


def link_fails(path, link):
    target, _, anchor = link.partition("#")
    if ":" in target:
        return False
    found = (path.parent / target) if target else path
    return not found.exists() or (anchor and found.suffix == ".md" and anchor not in anchors(found))


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = files_of(root)
    endings = {"/".join(f.parts[i:]) for f in files for i in range(len(f.parts))}
    missing, named = [], 0
    for file in sorted(f for f in files if f.suffix in WRITTEN and f.name != "CHANGELOG.md"):
        path = root / file
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        if file.suffix == "" and not text.startswith("#!"):
            continue
        users = file.suffix == ".md" and file.parts[0] == "bindings"  # speaks of the reader's own files
        for number, line in written(file, text):
            for name in () if users else PATH.findall(line):
                named += 1
                if not (PLACEHOLDER.search(name) or name.startswith(MADE) or
                        any(any(above.glob(name.rstrip("."))) for above in path.parents if root in (above, *above.parents))):
                    missing.append(f"{file}:{number}: {name} is not there")
            for name in () if users else FILE.findall(line):
                named += 1
                if not (name in endings or name.endswith(OTHERS) or PLACEHOLDER.search(name) or re.match(rf"(?:{FOLDERS})/", name)):
                    missing.append(f"{file}:{number}: no file {name}")
            if file.suffix == ".md":
                missing += [f"{file}:{number}: {link} leads nowhere" for link in LINK.findall(line) if link_fails(path, link)]
    print("\n".join(missing) or f"{named} paths and files that {len(files)} files name are there")
    return bool(missing) or named < 500


if __name__ == "__main__":
    sys.exit(main())
