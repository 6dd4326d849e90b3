"""docs/accuracy.md from the rows of results/cpu.json."""

import json
import pathlib
import re

DTYPES = {
    'f16': 'float16', 'bf16': 'bfloat16', 'e4m3fn': 'float8_e4m3fn', 'e5m2': 'float8_e5m2',
    'f32': 'float32', 'f64': 'float64',
}
NARROW = ('f16', 'bf16', 'e4m3fn', 'e5m2')

HEAD = '''# Accuracy on the CPU

<!-- Written by `./dev accuracy`; do not edit. -->

Every result is compared with the exact one (MPFR, 200 bits and more) rounded once to the dtype,
nearest even. *Differ* counts the results that are not that number; NaN equals NaN, and zeros must
have the right sign. *Max ulp* is the largest |result - exact| in units of the last place of the
dtype; 0.5 means that all are correctly rounded. Attributes are taken as the float32 (for float64:
float64) number next to the given value.

Measured through the C API on every instruction set of the machine ({isas}), and for the 16-bit
types in large tensors (which may look results up in a table) as well as in small ones:
{agreement}

Regenerate with `./dev accuracy` (some minutes), or `./dev accuracy --long` for all 2^32 float32
inputs (half an hour or more on two cores). `./dev accuracy --ci`, a part of the tests, takes a
fresh sample and fails where it is worse than this table or than the contract: 8- and 16-bit results
correctly rounded, float32 within 1 ulp (elementary functions), 2 ulp (activations and pow) or 3
ulp (gated), float64 within 2 ulp. In float32 and float64 lerp, floor_divide and div with a rounding
promise none: they are PyTorch's formulas, whose first rounding may cancel or step over an integer (but rounding=trunc,
which truncates the exact quotient). The raw numbers are in `tests/accuracy/results/cpu.json`.

What the tables do not hold:

- RoPE is at most 2.6 ulp of |x cos| + |y sin| away in float32, ALiBi 1.5 ulp. An angle of RoPE and of sinusoidal is
  right to 2^-33 of a turn at positions up to 2^31, so that near a zero of sine or cosine the error is small beside 1,
  not beside the result: 13 ulp were found at position 2^31.
- Where the output is narrower than the type computed in, results of one operation that are not of one 16-bit dtype (sqrt,
  reciprocal, add, mul, div, remainder, pow with exponent 2, -1 or 0.5, dropout) are rounded to the compute
  type and then to the output: float32 sqrt to float16 differs for 15 of 2^20 inputs from one rounding, float16 +
  bfloat16 to bfloat16 for 552 of 65,536 pairs. All others are rounded once.
- Which NaN a NaN is, its sign and payload, may depend on the instruction set, of operators that do not keep bits.
'''


def count(n):
    """4294967296 -> 2^32, 65025 -> 65,025"""
    if n >= 1 << 12 and n & (n - 1) == 0:
        return f'2^{n.bit_length() - 1}'
    return f'{n:,}'


def number(value):
    if value is None:
        return 'inf'
    return f'{value:.3g}' if value < 1000 else f'{value:.1e}'


def place(finding):
    if not finding:
        return ''
    return ', '.join(f'{v} (`{b}`)' for v, b in zip(finding['value'], finding['in']))


def worst(row):
    text = place(row.get('worst') or row.get('first_bad'))
    return text if row['differing'] else ''


def tried(row):
    text = count(row['inputs'])
    return text if row['sample'] == 'stratified' else f"{text} ({row['sample']})"


def table(rows, with_dtype=False):
    head = ['op'] + (['dtype'] if with_dtype else [])
    head += ['max ulp', 'differ', 'inputs', 'worst input']
    lines = ['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head)]
    for r in rows:
        cells = [r['op']] + ([DTYPES[r['dtype']]] if with_dtype else [])
        cells += [number(r['max_ulp']), count(r['differing']), tried(r), worst(r)]
        lines.append('| ' + ' | '.join(cells) + ' |')
    return '\n'.join(lines)


def section(title, text):
    return f'\n## {title}\n\n{text}\n'


def categories():
    """Category of each operator, from the operator table."""
    folder = pathlib.Path(__file__).resolve().parents[2] / 'include/tileops/ops'
    text = ''.join(path.read_text() for path in sorted(folder.glob('*.def')))
    return dict(re.findall(r'TILEOPS_OP\(\d+, \w+, (\w+), (\w+),', text))


def worst_ulp(row):
    return float('inf') if row['max_ulp'] is None else float(row['max_ulp'])


def summary(rows):
    """One line for each dtype and kind of operator."""
    category, groups = categories(), {}
    for row in rows:
        groups.setdefault((row['dtype'], category.get(row['op'].split('(')[0])), []).append(row)
    lines = ['| dtype | operators | results | not correctly rounded | worst error, ulp |', '|---|---|---:|---:|---|']
    for dtype in ('e4m3fn', 'e5m2', 'f16', 'bf16', 'f32', 'f64'):
        for kind in ('unary_math', 'activation', 'binary_arith', 'fused_gated'):
            part = groups.get((dtype, kind))
            if not part:
                continue
            most = max(part, key=worst_ulp)
            lines.append(f"| {dtype} | {kind} | {sum(r['inputs'] for r in part):,} | {sum(r['differing'] for r in part):,} | "
                         f"{worst_ulp(most):.3g} ({most['op']}) |")
    return '\n'.join(lines)


def over_bound(row):
    return row['dtype'] not in NARROW and row['bound'] is not None and (
        row['bad'] > 0 or row['max_ulp'] is None or row['max_ulp'] > row['bound'])


def exceptions(rows):
    narrow = [r for r in rows if r['dtype'] in NARROW and r['differing']]
    if not narrow:
        return 'None: every result that was tried is the correctly rounded one.'
    text = table(narrow, with_dtype=True)
    bad = [r for r in narrow if r['bad']]
    if bad:
        text += '\n\nAmong these, a wrong NaN, infinity or sign of zero:\n'
        for r in bad:
            first = place(r['first_bad'])
            text += f"\n- {r['op']}, {DTYPES[r['dtype']]}: {r['bad']}, first {first}"
    return text


def gpu_sections():
    """What tests/gpu/record.py wrote, if anything."""
    path = pathlib.Path(__file__).resolve().parent / 'results' / 'gpu.json'
    if not path.exists():
        return ''
    found = json.loads(path.read_text())
    about = found['about']
    intro = (f"{about['machine']}, {about['date']}, commit {about['commit']}. The raw numbers are in "
             '`tests/accuracy/results/gpu.json`, the programs in `tests/gpu` (`f32_errors.cu`, '
             '`exhaustive.cc`, `form_errors.cu`); 8- and 16-bit results of one operand are compared '
             'with the CPU by its unit tests.')
    intro += ''.join(f'\n\n{note}' for note in about['notes'])
    errors = ['Without the plan flag for the CPU\'s bits, all 2^32 inputs, against the f64 form computed there:', '',
              '| op | max ulp | contract | beyond it | worst input |', '|---|---|---|---|---|']
    for r in found['f32_errors']:
        errors.append(f"| {r['op']} | {r['worst_ulp']:.3f} | {r['bound']:g} | {r['beyond']} | `{r['worst_input']}` |")
    if found.get('f64_errors'):
        errors += ['', 'float64, 2^24 inputs that `f64_errors.cu` describes, against 113-bit functions on the host:', '',
                   '| op | attributes | max ulp | contract | beyond it | worst input |', '|---|---|---|---|---|---|']
    for r in found.get('f64_errors', []):
        attributes = ', '.join(f'{a:g}' for a in r['attrs']) if any(r['attrs']) else ''
        errors.append(f"| {r['op']} | {attributes} | {r['worst_ulp']:.3f} | {r['bound']:g} | {r['beyond']} | "
                      f"`{r['worst_input']}` |")
    if found.get('inner_errors'):
        errors += ['', 'Values inside expressions that only results of 16 bits or fewer depend on, all 2^32 inputs:', '',
                   '| op | max error in 2^-20 | beyond it | worst input |', '|---|---|---|---|']
    for r in found.get('inner_errors', []):
        errors.append(f"| {r['op']} | {r['worst_2^-20']:.3f} | {r['beyond']} | `{r['worst_input']}` |")
    same = ['float32 with the plan flag for the CPU\'s bits: all 2^32 inputs of one operand, 2^30 random pairs of '
            'two. bfloat16 and float16: 2^30 random pairs.', '',
            '| op | dtype | inputs | differ from the CPU |', '|---|---|---|---|']
    for r in found['differences']:
        same.append(f"| {r['op']} | {r['dtype']} | 2^{r['inputs'].bit_length() - 1} | {r['different']} |")
    return (section('On a GPU', intro) + section('On a GPU: float32 and float64 errors', '\n'.join(errors)) +
            section('On a GPU: the CPU\'s bits', '\n'.join(same)))


def markdown(rows):
    isas = sorted({v.split('/')[0] for r in rows for v in r['variants']})
    apart = sum(r['variants_disagree'] for r in rows)
    agreement = ('the results have the same bits everywhere, but for which NaN a NaN is.' if apart == 0 else
                 f'{apart} results depend on it (see the JSON file).')
    text = HEAD.format(isas=', '.join(isas), agreement=agreement)
    text += section('In short', summary(rows))
    text += section('8- and 16-bit types: results that are not correctly rounded',
                    exceptions(rows))
    over = [r for r in rows if over_bound(r)]
    text += section('float32 and float64: beyond the contract',
                    table(over, with_dtype=True) if over else 'None.')
    for dtype in ('f32', 'f64') + NARROW:
        text += section(DTYPES[dtype], table([r for r in rows if r['dtype'] == dtype]))
    return text + gpu_sections()
