#!/usr/bin/env python3
"""Measures the accuracy of every operator on the CPU and writes the result tables.

  ./dev accuracy           measure anew all but the f32 rows that an earlier --long run completed
  ./dev accuracy --long    the same with all 2^32 inputs of every f32 operator of one operand and
                           larger samples elsewhere; half an hour on two cores
                           (--f32-stride 7: every 7th; --ops sin,cos: only these)
  ./dev accuracy --ci      a fresh sample; fails where it is worse than the recorded results or
                           the contract allows; writes nothing

Results: tests/accuracy/results/cpu.json and, made from it, docs/accuracy.md.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import report

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RESULTS = HERE / 'results' / 'cpu.json'
DOCUMENT = ROOT / 'docs' / 'accuracy.md'

SIZES = {  # log2 of the samples
    'ci': {'f32': 22, 'f64': 12, 'pairs': 15, 'gated': 20, 'f32-pairs': 18},
    'normal': {'f32': 24, 'f64': 16, 'pairs': 18, 'gated': 24, 'f32-pairs': 22},
    'long': {'f32': 24, 'f64': 18, 'pairs': 20, 'gated': 24, 'f32-pairs': 24},
}


def find_program(options):
    if options.program:
        return pathlib.Path(options.program)
    for folder in filter(None, [options.build_dir, ROOT / 'build/release', ROOT / 'build']):
        for path in ('tests/accuracy/tileops_accuracy', 'tileops_accuracy'):
            if (pathlib.Path(folder) / path).exists():
                return pathlib.Path(folder) / path
    sys.exit('run.py: no tileops_accuracy in the build folder; configure with '
             '-DTILEOPS_BUILD_TESTS=ON (needs libmpfr-dev)')


def measure(program, mode, options, seed):
    """Yields the rows as they are done."""
    command = [str(program), '--threads', str(options.threads), '--seed', str(seed)]
    for name, log2 in SIZES[mode].items():
        command += [f'--log2-{name}', str(log2)]
    if mode == 'long':
        command += ['--f32-stride', str(options.f32_stride)]
    for name in ('ops', 'dtypes', 'isas'):
        if getattr(options, name):
            command += [f'--{name}', getattr(options, name)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            row = json.loads(line)
            strided = mode == 'long' and row['dtype'] == 'f32' and row['inputs'] > 1 << 24
            row['sample'] = ('all' if row['complete'] else
                             f'1 in {options.f32_stride}' if strided else 'stratified')
            yield row
    if process.returncode not in (0, 1):
        sys.exit(f'run.py: {program.name} failed with status {process.returncode}')


def load():
    if not RESULTS.exists():
        return {}
    return {(r['op'], r['dtype']): r for r in json.loads(RESULTS.read_text())['rows']}


def save(rows):
    """One row a line, in the order of dtypes and then of the program."""
    text = ',\n  '.join(json.dumps(r) for r in rows)
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text('{"about": "Written by ./dev accuracy; see docs/accuracy.md.",\n'
                       f' "rows": [\n  {text}\n]}}\n')
    DOCUMENT.write_text(report.markdown(rows))


def problems(row, recorded):
    """What a fresh sample shows that is worse than recorded, or than the contract without it."""
    found = []
    narrow = row['dtype'] not in ('f32', 'f64')
    known = recorded or {'differing': 0, 'bad': 0, 'max_ulp': 0.5, 'inputs': row['inputs'],
                         'variants_disagree': 0, 'complete': False}
    if row['variants_disagree'] and not known['variants_disagree']:
        found.append(f"{row['variants_disagree']} results depend on the instruction set or path")
    if row['bad'] and not known['bad']:
        found.append(f"{row['bad']} wrong NaN, infinities or signs of zero: {row['first_bad']}")
    if narrow:
        # An exception is listed with its count; of a sample it may be as frequent.
        allowed = known['differing']
        if allowed and not (row['complete'] and known['complete']):
            allowed = 2 * allowed * row['inputs'] / known['inputs'] + 10
        if row['differing'] > allowed:
            found.append(f"{row['differing']} of {row['inputs']} differ, recorded "
                         f"{known['differing']} of {known['inputs']}")
        return found
    bound = row['bound']
    if bound is None or (recorded and known['max_ulp'] > bound):
        return found  # none is promised, or the exception is listed
    if row['max_ulp'] > bound:
        found.append(f"{row['max_ulp']} ulp, {bound} allowed: {row['worst']}")
    elif known['complete'] and row['max_ulp'] > known['max_ulp'] * 1.001:
        found.append(f"{row['max_ulp']} ulp, recorded {known['max_ulp']}: {row['worst']}")
    return found


def check(options, program):
    recorded = load()
    seed = options.seed or int.from_bytes(os.urandom(3), 'little')
    print(f'accuracy: seed {seed}', flush=True)
    start, count, failed = time.time(), 0, 0
    if DOCUMENT.read_text() != report.markdown(list(recorded.values())):
        failed += 1
        print('docs/accuracy.md is not made of the recorded results: ./dev accuracy --report-only', flush=True)
    for row in measure(program, 'ci', options, seed):
        count += 1
        for problem in problems(row, recorded.get((row['op'], row['dtype']))):
            failed += 1
            print(f"{row['op']} {row['dtype']}: {problem}", flush=True)
    print(f'accuracy: {count} rows, {failed} problems, {time.time() - start:.0f} s')
    return 1 if failed else 0


def write(options, program):
    mode = 'long' if options.long else 'normal'
    rows = load()
    names = subprocess.run([str(program), '--list', '1'], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    dtypes = list(report.DTYPES)

    def save_sorted():
        known = [r for r in rows.values() if r['op'] in names]
        save(sorted(known, key=lambda r: (dtypes.index(r['dtype']), names.index(r['op']))))

    for row in measure(program, mode, options, options.seed or 1):
        key = (row['op'], row['dtype'])
        row.pop('seconds')
        row.pop('shown', None)
        old = rows.get(key)
        # More inputs were tried already, which takes long.
        keep = old and old['inputs'] > row['inputs'] and row['dtype'] == 'f32'
        if keep:  # of all inputs, but on one instruction set
            old['variants_disagree'] = row['variants_disagree']
        else:
            rows[key] = row
        print(f"{row['op']} {row['dtype']}: {row['differing']} of {row['inputs']} differ, "
              f"{row['max_ulp']} ulp" + (' (earlier result kept)' if keep else ''), flush=True)
        if options.long:
            save_sorted()  # an interrupted run keeps what it has
    save_sorted()
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--ci', action='store_true')
    parser.add_argument('--long', action='store_true')
    parser.add_argument('--ops', help='such as gelu,exp: only these')
    parser.add_argument('--dtypes', help='such as f16,f32: only these')
    parser.add_argument('--isas', help='such as avx512: only these')
    parser.add_argument('--f32-stride', type=int, default=1,
                        help='with --long: every N-th f32 input only; odd')
    parser.add_argument('--seed', type=int)
    parser.add_argument('--threads', type=int, default=os.cpu_count())
    parser.add_argument('--build-dir', '--build', help='the build folder')
    parser.add_argument('--program', help='tileops_accuracy itself')
    parser.add_argument('--report-only', action='store_true',
                        help='write docs/accuracy.md from the recorded results')
    options = parser.parse_args()
    if options.report_only:
        DOCUMENT.write_text(report.markdown(list(load().values())))
        return 0
    program = find_program(options)
    return check(options, program) if options.ci else write(options, program)


if __name__ == '__main__':
    sys.exit(main())
