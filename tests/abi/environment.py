#!/usr/bin/env python3
"""src/base/env.cc is the one file that reads the environment, and docs/configuration.md tells of all it reads.

The variables are those passed to tileops::env() and env_count() anywhere in src/, and those that
the comment in env.cc lists; each stands in a row of a table there.
"""

import pathlib
import re
import sys


def main():
    root = pathlib.Path(sys.argv[1])
    reader = root / "src/base/env.cc"
    failures = []
    used = set()
    folders = [root / "src", root / "include"]
    for path in sorted(p for folder in folders for p in folder.rglob("*")):
        if path.suffix not in {".cc", ".h", ".hpp", ".c", ".def"} or "cli" in path.parts:
            continue
        text = path.read_text()
        used |= set(re.findall(r'\benv(?:_count)?\("(\w+)"', text))
        if path != reader:
            for number, line in enumerate(text.splitlines(), 1):
                if re.search(r"\b(secure_)?(getenv|putenv|setenv|environ)\b", line):
                    failures.append(f"{path.relative_to(root)}:{number}: {line.strip()}"
                                    " (need tileops::env of base/env.h)")

    comments = "".join(re.findall(r"//.*\n", reader.read_text()))
    listed = set(re.findall(r"\b(?:TILEOPS_[A-Z_]+|HOME|CUDA_HOME|XDG_[A-Z_]+)\b", comments))
    for name in sorted(used - listed):
        failures.append(f"src/base/env.cc: the list of variables lacks {name}")

    document = root / "docs/configuration.md"
    rows = [line for line in document.read_text().splitlines() if line.startswith("|")]
    for name in sorted(used | listed):
        if not any(re.search(rf"\b{name}\b", row) for row in rows):
            failures.append(f"docs/configuration.md: no table has a row for {name}")

    print("\n".join(failures) or f"{len(used | listed)} variables")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
