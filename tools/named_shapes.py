"""Shapes of the operands and results of named texts, in the letters that the texts have, for the documents: operands' as the
text says them, results' as `tileops expr` gives them for extents that no two letters share."""

import json
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Twice a prime each, and far from one another, so that halves and groups of one are those of no other; two sets of them.
TRIALS = [[2 * p for p in (137, 293, 461, 631, 811, 1009)], [2 * p for p in (227, 379, 547, 719, 907, 1103)]]
LEADING = [{"..": 7, "..b": 11, "..1": 1}, {"..": 13, "..b": 17, "..1": 1}]
GROUPS = (16, 32, 64, 128)


def signature(text):
    """[(operand, [dimension])] of a text; a dimension as it is written."""
    inside = text[1:text.index(") ->")].partition(";")[0]
    found = re.findall(r"(\w+)\[([^\]]*)\]", inside)
    return [(name, [d.strip() for d in dims.split(",")]) for name, dims in found]


def dtypes():
    """{text: {operand: label}} of tests/rows/named."""
    rows = {}
    for path in (ROOT / "tests/rows/named").glob("*.def"):
        for name, operands in re.findall(r'ROW_NAMED\((\w+),\s*"([^"]*)"', path.read_text()):
            rows[name] = dict(re.findall(r"(\w+) (\w+) [\dx]*(?:, |$)", operands))
    return rows


def value(dim, letters, leading):
    if dim.startswith(".."):
        return leading[dim if dim in leading else "..b"]
    if dim.isdigit():
        return int(dim)
    times, _, of = dim.rpartition(" * ")
    if times:
        return int(times) * letters[of]
    of, _, group = dim.partition(" / ")
    return -(-letters[of] // int(group or 1))


def letter(extents, trials):
    """What an extent is, of what it was in each trial."""
    if len(set(extents)) == 1:
        return str(extents[0])
    for name in trials[0]:
        of = [t[name] for t in trials]
        for times in (1, 2, 4):
            if extents == [times * n for n in of]:
                return f"{times} * {name}" if times > 1 else name
        if extents == [n // 2 for n in of]:
            return f"{name} / 2"
        for group in GROUPS:
            if extents == [-(-n // group) for n in of]:
                return f"{name} / {group}"
    raise ValueError(f"{extents} is nothing of {trials}")


def results(tileops, name, operands, labels):
    """[(name, [dimension])], or None where a text scatters: its outputs have shapes of their own."""
    letters = sorted({w for _, dims in operands for d in dims for w in re.findall(r"(?<!\.)\b[a-z]\w*", d)})
    trials = [dict(zip(letters, extents)) for extents in TRIALS]
    shapes, rank = [], max(len(dims) for _, dims in operands)
    named = [dims[0] for _, dims in operands if re.match(r"\.\.[a-z]", dims[0])]
    for trial, leading in zip(trials, LEADING):
        leading = leading | {"..": 1} if named else leading  # what broadcasts beside others
        options = []
        for operand, dims in operands:
            broadcasts = dims[0] == ".." and len(dims) < rank  # beside one of more dimensions: none in front
            extents = [str(value(d, trial, leading)) for d in dims[broadcasts:] if d]
            options += ["--shape", f"{operand}={'x'.join(extents)}", "--dtype", f"{operand}={labels.get(operand, 'f32')}"]
        done = subprocess.run([tileops, "expr", name, "--json", *options], capture_output=True, text=True, check=False)
        if done.returncode:
            if "scatter" in done.stderr:
                return None
            raise RuntimeError(f"{name}: {done.stderr}")
        shapes.append([(r["name"], r["shape"]) for r in json.loads(done.stdout)["results"]])
    found = []
    for (result, first), (_, second) in zip(*shapes):
        front = [mark for mark in ("..", "..b") if first and (first[0], second[0]) == (LEADING[0][mark], LEADING[1][mark])]
        if not front and len(first) == rank and set(first) == {1} and operands[0][1][0].startswith(".."):
            found.append((result, ["..1"]))
            continue
        front = [named[0] if mark == "..b" else mark for mark in front]
        dims = [letter(list(pair), trials) for pair in list(zip(first, second))[len(front):]]
        found.append((result, front + dims))
    return found


def text_of(shapes):
    return ", ".join(f"{name} [{', '.join(dims)}]" for name, dims in shapes)


def of(tileops, name, text, labels):
    """`x [.., n], weight [n] -> [.., n]`."""
    operands = signature(text)
    given = results(tileops, name, operands, labels.get(name, {}))
    if given is None:
        return f"{text_of(operands)} -> as the outputs are"
    usual = [(("" if result == f"y{k}" else result), dims) for k, (result, dims) in enumerate(given)]
    return f"{text_of(operands)} -> " + ", ".join(f"{result} [{', '.join(dims)}]".strip() for result, dims in usual)
