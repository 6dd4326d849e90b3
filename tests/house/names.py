#!/usr/bin/env python3
"""Keeps apart the names of sources that are compiled together.

usage: names.py ROOT [--needless]

The builds of the tests and of the sanitizers compile the sources of a library or program several at a time, as one
(cmake/TileopsOptions.cmake: CMAKE_UNITY_BUILD). There an anonymous namespace is one for all of them, so that two files
must not define the same name, although each compiles alone and `./dev build` passes. Which of them come together changes
with every file that is added; so all of a target are compared, and each with the headers that the others include.

Functions of one name may have different parameters, aliases the same type. `using namespace` within a namespace reaches the
sources that are compiled behind it, and so is for headers. Not seen: names that a macro makes, and a name that hides one of
an outer namespace. --needless lists the files that tileops_compile_alone() names without need.
"""

import collections
import fnmatch
import pathlib
import re
import sys

from sources import Reader


# Commands of CMake that name sources, but make no program or library of them.
NO_TARGETS = ("set_source_files_properties", "add_test", "add_custom_command", "foreach", "message")


def is_source(file):
    return file.endswith(".cc")


def clash(a, b):
    if a.kind == "using namespace":
        return False
    if a.file == b.file or not (is_source(a.file) or is_source(b.file)):
        return False
    if a.kind == b.kind and a.kind in ("function", "alias"):
        return (a.detail == b.detail) == (a.kind == "function")
    return True


def clashes(names):
    """Pairs of a list of names, each key's first one."""
    by_key = collections.defaultdict(list)
    for name in names:
        by_key[name.key].append(name)
    for same in by_key.values():
        found = [(a, b) for i, a in enumerate(same) for b in same[i + 1:] if clash(a, b)]
        if found:
            yield found[0]


def reaching(names):
    """`using namespace` of a source, with nothing like it in a header."""
    by_key = collections.defaultdict(list)
    for name in names:
        if name.kind == "using namespace":
            by_key[name.key].append(name)
    for same in by_key.values():
        if all(is_source(n.file) for n in same):
            yield same[0], same[0]


def commands(text):
    """Commands of a CMake file: name and words."""
    text = re.sub(r"#[^\n]*", "", text)
    for m in re.finditer(r"(\w+)\s*\(((?:[^()\"]|\"[^\"]*\"|\([^()]*\))*)\)", text):
        yield m.group(1), re.split(r'[\s;"]+', m.group(2).strip())


class Tree:
    def __init__(self, root):
        self.root, self.read, self.included = root, {}, {}
        self.alone = set()
        self.targets = {}  # name: sources
        for file in [*sorted(root.glob("cmake/*.cmake")), *sorted(root.glob("tests/*/CMakeLists.txt"))]:
            self.add_targets(file)
        self.targets["tileops (the command)"] = sorted((root / "src/cli").rglob("*.cc"))

    def add_targets(self, file):
        lists, together = {}, True
        for command, words in commands(file.read_text()):
            folder = file.parent if file.name == "CMakeLists.txt" else self.root
            if command == "tileops_add_objects":
                folder = self.root / "src"
            if command == "tileops_compile_alone":
                self.alone |= {self.root / w for w in words if w != "FILE..."}
            elif command == "set" and words[:2] == ["CMAKE_UNITY_BUILD", "OFF"]:
                together = False
            elif command == "file" and words[0] == "GLOB":
                lists["${" + words[1] + "}"] = [w.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "") for w in words[2:]]
            elif words and command not in NO_TARGETS and together:
                patterns = [p for w in words[1:] for p in lists.get(w, [w])]
                found = [p.resolve() for w in patterns if fnmatch.fnmatch(w, "*.cc") and "$" not in w
                         for p in sorted(folder.glob(w) if ".." not in w else [folder / w])]
                if found and "${" not in words[0]:
                    self.targets.setdefault(words[0], []).extend(found)

    def reader_of(self, file):
        if file not in self.read:
            self.read[file] = Reader(str(file.relative_to(self.root)), file.read_text())
        return self.read[file]

    def headers_of(self, file):
        """The headers of this tree that a file includes, and theirs."""
        if file not in self.included:
            self.included[file] = found = set()
            for name in re.findall(r'^\s*#\s*include\s+["<]([^">]+\.(?:h|hpp))[">]', file.read_text(), re.M):
                for folder in (file.parent, self.root / "src", self.root / "include", self.root / "tools"):
                    target = (folder / name).resolve()
                    if target.is_file() and target.is_relative_to(self.root):
                        found |= {target} | self.headers_of(target)
                        break
        return self.included[file]

    def clashes_of(self, sources):
        files = [self.reader_of(s) for s in sources]
        macros = {n.key[1] for f in files for n in f.names if n.kind == "macro"}
        headers = map(self.reader_of, sorted(set().union(*map(self.headers_of, sources))))
        files += [h for h in headers if h.guard not in macros]  # a source that defines it keeps the header out
        names = [n for f in files for n in f.names]
        return [*clashes(names), *(reaching(names) if len(sources) > 1 else [])]

    def needless(self):
        """Files that stand in a list of tileops_compile_alone() but need not: no clash with those beside them."""
        kept = set(self.alone)
        for file in sorted(self.alone):
            beside = [s for s in self.targets.values() if file in s]
            if not any(True for s in beside for _ in self.clashes_of([f for f in s if f == file or f not in kept])):
                kept.discard(file)
        return sorted(self.alone - kept)


SAMPLES = [  # two files, and the name that both define, if it is one too many
    ("namespace t { namespace { struct Row { int a; }; } }", "namespace t { namespace { struct Row { char b; }; } }", "Row"),
    ("namespace t { namespace { bool Jumps(const Row& row) { return row.a; } } }",
     "namespace t { namespace { class Jumps : public testing::TestWithParam<Row> {}; } }", "Jumps"),
    ("namespace { const char* kList[] = {\"{\"}; }", "namespace { constexpr int kOther = 1, kList = 2; }", "kList"),
    ("static int f(int a, const T& b = T{1}) { return 0; }", "namespace { template <class V> int f(int x, const T& y) { return 1; } }",
     "f"),
    ("namespace { enum { kOne, kTwo }; }", "namespace { const S kTwo{2}; }", "kTwo"),
    ("#define CASE(x) x\n", "#define CASE(x) -x\n", "CASE"),
    ("namespace { int f(int a) { return a; } struct G; }", "namespace { int f(long a) { return a; } struct G {}; }", None),
    ("namespace a { namespace { int f() { return 1; } } }", "namespace b { namespace { int f() { return 1; } } }", None),
    ("namespace { using S = std::vector<int>; }", "namespace { using S = std::vector<int>; int T::f() { return 1; } }", None),
    ("T::T() : a_{1}, b_(2) { /* } */ }\n#define CASE 1\n#undef CASE\n", "T::U T::f() const { return '{'; }\n#define CASE 2\n", None),
]


def check_samples():
    for one, other, name in SAMPLES:
        found = [a.key[1] for a, _ in clashes(Reader("one.cc", one).names + Reader("other.cc", other).names)]
        if found != ([name] if name else []):
            sys.exit(f"tests/house/names.py: found {found} instead of {name} in these two files:\n{one}\n{other}")


def main():
    check_samples()
    tree = Tree(pathlib.Path(sys.argv[1]).resolve())
    if "--needless" in sys.argv:
        print("\n".join(str(f.relative_to(tree.root)) for f in tree.needless()))
        return False
    failures = {}
    for target, sources in tree.targets.items():
        for a, b in tree.clashes_of([s for s in sources if s not in tree.alone]):
            text = f"{a.file}:{a.line}: {a.key[1]}: is for the whole of {target} behind it" if a is b else \
                f"{a.file}:{a.line}: {a.kind} {a.key[1]}: {b.file}:{b.line} has a {b.kind} of this name, in {target}"
            failures.setdefault((a, b), text)
    missing = sorted(str(f.relative_to(tree.root)) for f in tree.alone if not f.is_file())
    if failures:
        print("\n".join(failures.values()))
        print("These files are compiled together, as one source, in the builds of the tests and of the sanitizers, so that "
              "this\nbreaks `./dev test` while `./dev build` passes. Give one of the two a name that says what it is there; or "
              "name\nits file in tileops_compile_alone(...) of the folder's CMakeLists.txt or of cmake/TileopsLibrary.cmake.")
    for file in missing:
        print(f"tileops_compile_alone({file}): is not there")
    count = sum(map(len, tree.targets.values()))
    if not failures and not missing:
        print(f"{count} sources of {len(tree.targets)} targets, {len(tree.alone)} of them compiled alone: no name twice")
    return bool(failures or missing) or count < 200


if __name__ == "__main__":
    sys.exit(main())
