"""The functions that an expression may have, for the generators of the bindings: operators that map elements, and the
rows of include/tileops/functions.def. What tileops_function_at gives, read from the same tables. And the expressions that
have names."""

import pathlib
import re

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include/tileops"
# Rules of operators that are functions of single elements.
MAPS = {"map", "clamp", "round", "masked_fill", "nan_to_num", "cast"}
# Kinds of functions.def that go along axes: their attributes (axes, groups, ...) are given by name.
ROWS = {"reduce", "scan", "spread", "gather", "scatter", "written"}


def attribute_keys():
    """The rows of attrs.def: [{id, NAME, name, doc}]."""
    rows = re.findall(r'^TILEOPS_ATTR\((\d+), (\w+), (\w+), "(.*)"\)$', (INCLUDE / "attrs.def").read_text(), re.M)
    return [dict(zip(("id", "NAME", "name", "doc"), (int(row[0]), *row[1:]))) for row in rows]


def function_rows():
    """The rows of functions.def: [{id, NAME, name, kind, slots, attrs, compute, doc}]. Attributes have their names, also
    those that a row writes by their constants."""
    names = {row["NAME"]: row["name"] for row in attribute_keys()}
    text = (INCLUDE / "functions.def").read_text()
    found = re.findall(r'^TILEOPS_FUNCTION\((\d+), (\w+), (\w+), (\w+), "(.*?)", "(.*?)", \w+, (\w+), .*, "(.*)"\)$', text, re.M)
    assert len(found) == len(re.findall(r"^TILEOPS_FUNCTION", text, re.M))
    rows = [dict(zip(("id", "NAME", "name", "kind", "slots", "attrs", "compute", "doc"), row)) for row in found]
    def named(attrs):
        return re.sub(r"(?:^|(?<= ))[A-Z]+", lambda m: names[m[0]], attrs)
    return [row | {"id": int(row["id"]), "attrs": named(row["attrs"])} for row in rows]


def named_expressions():
    """The rows of expressions.def and of the files that it includes: {file: [(name, text, doc)]}, the first file first."""
    text = (INCLUDE / "expressions.def").read_text()
    files = ["expressions.def", *re.findall(r'^#include "(.*)"$', text, re.M)]
    row = re.compile(r'^TILEOPS_EXPRESSION\((\w+),\s*"([^"]*)",\s*"([^"]*)"\)', re.M)
    return {pathlib.Path(file).stem: row.findall((INCLUDE / file).read_text()) for file in files}


def functions(ops):
    """Those that may be called: [{name, doc, operator, variadic, rows, values, parameters: [(name, optional)]}]. The parameters are
    the values in order and, of those of functions.def, then the attributes, as in a text. Those of a function along axes
    are given by name: `rows` has their names, and is empty for all others. `values` is how many of the parameters are
    values; of a variadic one the last parameter is the name of all other values."""
    rules = {}
    for path in (INCLUDE / "ops").glob("*.def"):
        rules.update(re.findall(r"^TILEOPS_OP\(\d+, \w+, (\w+), \w+, (\w+),", path.read_text(), re.M))
    found = []
    for row in ops:
        if rules.get(row["name"]) in MAPS:
            parameters = [(i["name"], i["optional"]) for i in row["inputs"]]
            if rules.get(row["name"]) == "cast":  # what its output says, where it is an operator
                parameters.append(("dtype", False))
            found.append({"name": row["name"], "doc": row["doc"], "operator": True, "variadic": False,
                          "rows": [], "values": len(row["inputs"]), "parameters": parameters})
    for row in function_rows():
        slots = row["slots"].replace("...", "").split()
        attrs = re.findall(r"(?:^| )(\w+)(=?)", row["attrs"])
        rows = [name for name, _ in attrs] if row["kind"] in ROWS else []
        parameters = [(name, False) for name in slots] + ([] if rows else [(name, bool(default)) for name, default in attrs])
        found.append({"name": row["name"], "doc": row["doc"], "operator": False, "variadic": "..." in row["slots"],
                      "rows": rows, "values": len(slots), "parameters": parameters})
    return found
