#!/usr/bin/env python3
"""Kernels that random texts get (bench/random), without a GPU: gate.py PROGRAM [--seed N] [--count N] [-v], with PROGRAM
tileops_gate_kernels. Each commit has cases of its own; the seed is printed. Kernels are chosen for sm_90, compiled by NVRTC and held to
rules (rules.py). What is known to break these is listed by kind (kinds.py), each with an example that must break it. Exit status 77,
with the reason, where there is no NVRTC."""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import cases as gate_cases  # noqa: E402
import compiling  # noqa: E402
import kinds  # noqa: E402
import rules  # noqa: E402


def chosen(program, cases, folder):
    """(options of the compiler, passes of each case)."""
    done = subprocess.run([program, folder], input="".join(map(gate_cases.line, cases)), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"FAILED: {program}: {done.stderr.strip()}")
    options, *found = map(json.loads, done.stdout.splitlines())
    return options, [one["passes"] for one in found]


def compile_all(passes, options, folder):
    """Puts what each kernel came to into its pass."""
    files = sorted({part["source"] for one in passes for part in one})
    with concurrent.futures.ProcessPoolExecutor(min(2, os.cpu_count() or 1), initializer=compiling.begin, initargs=(options,)) as pool:
        compiled = dict(zip(files, pool.map(compiling.compile_file, [os.path.join(folder, f) for f in files])))
    for one in passes:
        for part in one:
            part["compiled"] = compiled[part["source"]]
    return len(files)


NEAR = {"instructions": 1.5, "ptx": 1.5}  # times the bound: what is estimated is told up to there, and no failure


def failures_of(findings):
    """Lines on findings that are of no kind, or beyond the limit of all of theirs; and how many are of each kind."""
    lines, counts = [], collections.Counter()
    for f in findings:
        known = kinds.kinds_of(f)
        counts.update((k.rule, k.name) for k in known)
        if not known and f.times <= NEAR.get(f.rule, 1):
            print(f"{f}: of no known kind, but near")
        elif not known:
            lines.append(f"{f}: of no known kind")
        elif f.times > max(k.times for k in known):
            lines.append(f"{f}: {f.times:.1f} times, at most {max(k.times for k in known):g} are known of {', '.join(k.name for k in known)}")
    return lines, counts


def mended(findings_of):
    """Kinds whose example breaks their rule no more. findings_of: by a case's text."""
    return [f"'{k.name}' ({k.rule}): its example {k.example.text} of {k.example.operand_text} breaks the rule no more: take the kind out of kinds.py"
            for k in kinds.KINDS
            if not any(f.rule == k.rule and k.holds(f) for f in findings_of[id(k.example)])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=None, help="default: TILEOPS_GATE_SEED, or of the commit")
    parser.add_argument("--count", type=int, default=gate_cases.COUNT)
    parser.add_argument("-v", "--verbose", action="store_true", help="all findings")
    options = parser.parse_args()
    if compiling.library() is None:
        print("skipped: no NVRTC in CUDA_HOME or /usr/local/cuda")
        return 77
    seed = gate_cases.seed() if options.seed is None else options.seed
    examples = list({id(k.example): k.example for k in kinds.KINDS}.values())
    cases, begin = gate_cases.cases(seed, options.count), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        flags, passes = chosen(options.program, cases + examples, folder)
        kernels = compile_all(passes, flags, folder)
    found = [rules.findings(case, one) for case, one in zip(cases + examples, passes)]
    of_examples = {id(case): one for case, one in zip(examples, found[len(cases):])}
    lines, counts = failures_of([f for one in found[:len(cases)] for f in one])
    if options.verbose:
        for f in (f for one in found for f in one):
            print(f"{f} ({f.times:.1f} times): {', '.join(k.name for k in kinds.kinds_of(f)) or 'no kind'}")
    lines += mended(of_examples)
    told = {case.name: case for case in cases}
    for text in lines:
        print("FAILED:", text)
        case = told.get(text.split(",")[0])
        if case:
            print("   ", case)
    clean = sum(not one for one in found[:len(cases)])
    print(f"seed {seed}: {len(cases)} cases, {kernels} kernels in {time.monotonic() - begin:.0f} s; {clean} cases break no rule, "
          f"{len(lines)} failures; known, by kind:")
    for k in kinds.KINDS:
        print(f"{counts[k.rule, k.name]:4d} {k.rule}: {k.name} ({k.why})")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
