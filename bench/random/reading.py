"""A text of random cases as a program of Python: its statements have Python's signs, and its functions are those of an algebra,
such as torch's (torch_functions.py) or numbers with error bounds (bounds.py)."""

import re

WORDS = {"axis = all": "axis = None", "-inf": "-INF"}
DTYPES = ("f32", "bf16", "f16")


def split(text, sign):
    """Parts between signs that no bracket holds."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if c == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [p.strip() for p in parts if p.strip()]


def python_of(text):
    """(names of operands, lines of statements, expressions of the results)."""
    head, body = re.fullmatch(r"\(([^()]*)\) -> (.*)", text).groups()
    for word, name in WORDS.items():
        body = body.replace(word, name)
    lines = split(body[1:-1], ";") if body.startswith("{") else [body]
    return split(head, ","), lines[:-1], split(lines[-1], ",")


def function_of(text, name="text"):
    """Source of a Python function of the text, whose results are a tuple."""
    operands, statements, results = python_of(text)
    lines = [f"def {name}({', '.join(operands)}):", *(f"    {s}" for s in statements), f"    return ({', '.join(results)},)"]
    return "\n".join(lines) + "\n"


def evaluated(text, algebra, operands, name="text"):
    """The text's function over an algebra (a dict of functions); of `operands`, unless these are None."""
    names = {**algebra, **{d: d for d in DTYPES}, "INF": float("inf")}
    exec(compile(function_of(text, name), f"<{text}>", "exec"), names)
    return names[name] if operands is None else names[name](*operands)
