#!/usr/bin/env python3
"""Runs the fuzz target on seeds made here: one call of each operator, and random ones.

TILEOPS_FUZZ_SECONDS says for how long (default 60). What was learnt stays in the work folder and
is where the next run begins; what made the target fail is printed in a form to paste into a shell.
"""
import argparse
import base64
import os
import pathlib
import random
import subprocess
import sys

SKIPPED = 77
OPERATORS = 96  # more than there are; the target takes the first byte modulo their number


def write_seeds(folder):
    """The first byte chooses the operator; zeros after it mean the plainest valid call."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1)
    for op in range(OPERATORS):
        (folder / f"plain_{op:02}").write_bytes(bytes([op]) + bytes(24))
        (folder / f"random_{op:02}").write_bytes(bytes([op]) + rng.randbytes(120))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", type=pathlib.Path, help="the libFuzzer program")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for the corpus")
    args = parser.parse_args()
    if args.target is None:
        print("skipped: this compiler has no libFuzzer (Debian: libclang-rt-*-dev)")
        return SKIPPED
    seconds = os.environ.get("TILEOPS_FUZZ_SECONDS", "60")
    corpus, found = args.work / "corpus", args.work / "found"
    write_seeds(args.work / "seeds")
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    for old in found.iterdir():
        old.unlink()
    log = args.work / "log.txt"
    with log.open("w") as file:
        status = subprocess.run(
            [args.target, corpus, args.work / "seeds", f"-max_total_time={seconds}", "-max_len=512",
             "-rss_limit_mb=2048", "-timeout=20", "-print_final_stats=1",
             f"-artifact_prefix={found}/"],
            stdout=file, stderr=subprocess.STDOUT, check=False).returncode
    lines = log.read_text(errors="replace").splitlines()
    progress = ("#", "\tNEW_FUNC", "INFO:", '"')
    for line in lines:
        if not line.startswith(progress) if status else line.startswith("stat::"):
            print(line)
    for path in sorted(found.iterdir()):
        text = base64.b64encode(path.read_bytes()).decode()
        print(f"\nreproduce: echo {text} | base64 -d > bytes && {args.target} bytes")
    if status:
        print(f"fuzz: failed (status {status})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
