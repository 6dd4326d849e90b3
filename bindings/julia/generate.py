"""The generated files of the Julia binding: constants of the header, dtypes, and the table of operators and functions,
of which definitions.jl makes functions with docstrings. Called by tools/gen_bindings.py."""

import pathlib
import re

from dtypes import dtypes
from functions import ROWS, attribute_keys, function_rows

DEFINITIONS = pathlib.Path(__file__).resolve().parents[2] / "include/tileops/ops"

NOTICE = "# Written by bindings/julia/generate.py from the C library's tables; `./dev bindings` writes it anew.\n"

# Enumerations of the header: prefix of the C constants, prefix here, type here.
ENUMS = [
    ("STATUS_", "STATUS_", "Status"),
    ("CACHE_PLANS", "CACHE_PLANS", None),
    ("CACHE_DISK", "CACHE_DISK", None),
    ("PLAN_", "PLAN_", None),
]

# How the size of a result follows from the operands, by the rule of the operator's row.
SIZES = {
    "map": "broadcast",
    "cast": "broadcast",
    "clamp": "broadcast",
    "round": "broadcast",
    "masked_fill": "broadcast",
    "nan_to_num": "broadcast",
    "prelu": "first",
    "rope": "first",
    "dropout": "first",
    "gated": "gated",
    "alibi": "given",
    "sinusoidal": "given",
}

def constants(header):
    version = [int(re.search(rf"#define TILEOPS_VERSION_{part} (\d+)", header)[1]) for part in ("MAJOR", "MINOR", "PATCH")]
    functions = re.findall(r"TILEOPS_API [^;]*?\b(tileops_\w+)\(", header)
    values = re.findall(r"\bTILEOPS_(\w+) = (\d+)", header)
    lines = [NOTICE, f"const HEADER_VERSION = {version[0] * 10000 + version[1] * 100 + version[2]}\n"]
    lines.append("# The library's functions; all NULL until it is open.")
    lines.append("mutable struct Symbols")
    lines += [f"    {name}::Ptr{{Cvoid}}" for name in functions]
    lines.append("    Symbols() = new(ntuple(_ -> C_NULL, fieldcount(Symbols))...)")
    lines.append("end\n")
    lines.append('"""')
    lines.append("    TileOps.Status\n")
    lines.append("Status of a call; values that a newer library adds are kept as they are. The constants are")
    lines.append("`TileOps.Runtime.STATUS_OK`, `STATUS_INVALID_ARGUMENT` and so on, as in tileops.h.")
    lines.append('"""')
    lines += ["struct Status", "    value::Int32", "end\n"]
    names = []
    for name, value in values:
        for c_prefix, prefix, kind in ENUMS:
            if name.startswith(c_prefix):
                lines.append(f"const {name} = " + (f"{kind}({value})" if kind else f"Int32({value})"))
                if kind:
                    names.append(f"Int32({value}) => \"{name[len(c_prefix):]}\"")
                break
    lines.append("\nconst STATUS_NAMES = Dict(" + ",\n    ".join(names) + ")")
    return "\n".join(lines) + "\n"


def rules():
    """{name: (rule, compute)} of all rows; `tileops ops` does not tell these two."""
    row = re.compile(r'TILEOPS_OP\(\d+, \w+, (\w+), \w+, (\w+), "[^"]*", \w+, (\w+),')
    return {m[1]: (m[2], m[3]) for path in DEFINITIONS.glob("*.def") for m in row.finditer(path.read_text())}


def attribute_kind(attr):
    if "choices" in attr:
        return "choice"
    return "axis" if attr["name"].endswith("axis") else attr["kind"]


def default(attr):
    value = attr["default"]
    if value is None or attribute_kind(attr) == "axis":
        return "nothing"  # the library's own, which depends on the number of dimensions
    return f":{value}" if "choices" in attr else repr(value)


def julia_type(row):
    """float8_e4m3fn: Float8_E4M3FN, bfloat16: BFloat16, uint8: UInt8; of elements that share a byte all that do, _x2."""
    head, _, small = row["name"].partition("_")
    if head.startswith(("bf", "ui")):
        head = head[0].upper() + head[1:].capitalize()
    lanes = f"_x{row['lanes']}" if row["lanes"] > 1 else ""
    return head[0].upper() + head[1:] + ("_" + small.upper() if small else "") + lanes


def dtype_table():
    rows = [f"{julia_type(row)} => ({row['code']}, {row['bits']}, {row['lanes']})" for row in dtypes()]
    return f"{NOTICE}\nconst DTYPES = (" + ",\n    ".join(rows) + ")\n"


def quote(text):
    """A literal of Julia's."""
    return '"' + re.sub(r'[\\"$]', r"\\\g<0>", text).replace("\n", "\\n") + '"'


def attribute(a, values):
    """An attribute of a row. `values` is what it may be, in the words of the C library's long text."""
    choices = ", ".join(f":{choice}" for choice in a.get("choices", []))
    return (f"Attribute({a['key']}, :{attribute_kind(a)}, :{a['name']}, {default(a)}, ({choices + ',' if choices else ''}), "
            f"{quote(a['doc'])}, {quote(values)})")


def operand(name, optional=False, promoted=False, dtypes="", text=""):
    return f"Operand(:{name}, {str(optional).lower()}, {str(promoted).lower()}, {quote(dtypes)}, {quote(text)})"


def dtype_sets(dtypes):
    sets = {"f32": "float", "i32": "integer", "bool": "Bool", "e8m0fnu": "scale", "e2m1fn": "packed"}
    return [name for member, name in sets.items() if member in dtypes]


class Op:
    """A row of the operator table."""

    def __init__(self, op, rule, compute):
        if rule not in SIZES:
            raise SystemExit(f"bindings/julia/generate.py: tell in SIZES how the size of {op['name']}'s result follows")
        self.id, self.name, self.category, self.doc = op["op"], op["name"], op["category"], op["doc"]
        self.result = "quotient" if compute == "quotient" else {"promoted_float": "float"}.get(op["result"], op["result"])
        self.size = SIZES[rule]
        for output in op["outputs"][1:]:
            assert output["optional"] and output["dtypes"] == ["bool"], f"{self.name}: optional outputs are masks"
        remarks, operands, attributes, self.rules = sections(op["details"])
        self.remarks = remarks
        operand_texts = [text(line, o) for line, o in zip(operands, op["inputs"] + op["outputs"])]
        self.inputs = []
        for i, o in enumerate(op["inputs"]):
            # What fills takes the dtype of what is filled.
            promoted = o["promoted"] and not (rule == "masked_fill" and i > 0)
            dtypes = " or ".join(dtype_sets(o["dtypes"]) if o["promoted"] else o["dtypes"])
            self.inputs.append(operand(o["name"], o["optional"], promoted, dtypes, operand_texts[i]))
        self.outputs = [operand(o["name"], o["optional"], text=operand_texts[len(op["inputs"]) + i])
                        for i, o in enumerate(op["outputs"])]
        self.attributes = []
        for line, a in zip(attributes, op["attributes"]):
            values, _, doc = text(line, a)[1:].partition("): ")
            assert doc == a["doc"], f"{self.name}: its long text says of {a['name']} what its row does not"
            self.attributes.append(attribute(a, values))


def sections(details):
    """The long text of an operator: its paragraphs, the lines of operands and of attributes, and the paragraphs behind."""
    paragraphs = details.split("\n\n")
    heads = [paragraph.split("\n")[0] for paragraph in paragraphs]
    first = heads.index("Operands and their shapes:")
    last = heads.index("Attributes:") if "Attributes:" in heads else first
    attributes = paragraphs[last].split("\n")[1:] if last > first else []
    return paragraphs[:first], paragraphs[first].split("\n")[1:], attributes, paragraphs[last + 1:]


def text(line, row):
    """What a line of such a list says of a row."""
    head = f"- {row['name']} "
    assert line.startswith(head) and line.endswith("."), line
    return line[len(head):-1]


class ExprFunction:
    """A row of functions.def that maps elements: part of dotted expressions, and nothing else."""

    RESULTS = {"promote": "promoted", "to_float": "float", "truth": "bool"}
    category = size = "function"

    def __init__(self, row, attrs):
        self.id, self.name, self.doc, self.result = row["id"], row["name"], row["doc"], self.RESULTS[row["compute"]]
        self.inputs = [operand(name, promoted=True) for name in row["slots"].split()]
        self.outputs = [operand("y")]
        self.attributes = [attrs[re.match(r"\w+", spec)[0]] for spec in row["attrs"].split()]
        self.remarks, self.rules = [], []


class RowFunction:
    """A row of functions.def that goes along dimensions: an expression of it alone."""

    def __init__(self, row, keys):
        self.name, self.kind, self.doc = row["name"], row["kind"], row["doc"]
        self.inputs = [f":({name})" if "..." in name else f":{name}" for name in row["slots"].split()]
        specs = re.findall(r"(?:^| )(\w+)(?:=(\w+))?", row["attrs"])
        self.dims, self.group = (str(any(name == said for name, _ in specs)).lower() for said in ("axis", "group"))
        self.attributes = [
            f"Attribute({keys[name]['id']}, :int, :{name}, {value or 'nothing'}, (), {quote(keys[name]['doc'])}, \"\")"
            for name, value in specs if name not in ("axis", "group")]


def named(stems):
    """{value: the name of its constant} of [(stem, value)]: the stem where only one value has it, else STEM_1, STEM_2."""
    values = {}
    for stem, value in stems:
        if value not in values.setdefault(stem.upper(), []):
            values[stem.upper()].append(value)
    return {value: stem + (f"_{i}" if len(same) > 1 else "") for stem, same in values.items() for i, value in enumerate(same, 1)}


def constants_of(rows, along):
    """The constants of a table, [{value: name}]: operands, attributes, and the paragraphs that several rows have."""
    own_name = re.compile(r"\((?:\d+, :\w+, )?:(\w+)")
    operands = [("OPERAND_" + own_name.search(value)[1], value) for row in rows for value in row.inputs + row.outputs]
    attributes = [("ATTRIBUTE_" + own_name.search(value)[1], value) for row in rows + along for value in row.attributes]
    texts = [quote(text) for row in rows for text in row.remarks + row.rules]
    several = [("TEXT_" + re.search(r"\w+", text)[0], text) for text in texts if texts.count(text) > 1]
    return [named(operands), named(attributes), named(several)]


def table(ops):
    """The rows of all three kinds."""
    row = rules()
    all_ops = [Op(op, *row[op["name"]]) for op in ops]
    attrs = {a["name"]: value for op, own in zip(ops, all_ops) for a, value in zip(op["attributes"], own.attributes)}
    keys = {row["name"]: row for row in attribute_keys()}
    functions = [ExprFunction(row, attrs) for row in function_rows() if row["kind"] in ("map", "dropout_mask")]
    along = [RowFunction(row, keys) for row in function_rows() if row["kind"] in ROWS | {"tiled", "store_if"}]
    kinds = constants_of(all_ops + functions, along)
    names = {value: name for constants in kinds for value, name in constants.items()}

    def listed(values):
        return f"[{', '.join(names.get(value, value) for value in values)}]"

    def op_row(row):
        return (f"    OpRow({row.id}, :{row.name}, :{row.category}, {quote(row.doc)}, :{row.result}, :{row.size},\n"
                f"        {listed(row.inputs)}, {listed(row.outputs)}, {listed(row.attributes)},\n"
                f"        {listed(map(quote, row.remarks))}, {listed(map(quote, row.rules))}),")

    def along_row(row):
        return (f"    AlongRow(:{row.name}, :{row.kind}, {quote(row.doc)}, {listed(row.inputs)}, {row.dims}, {row.group}, "
                f"{listed(row.attributes)}),")

    lines = [NOTICE]
    for constants in kinds:
        lines += [f"const {name} = {value}" for value, name in constants.items()] + [""]
    lines += ["const OPERATOR_ROWS = OpRow[", *map(op_row, all_ops), "]\n"]
    lines += ["# Functions that only expressions have.", "const FUNCTION_ROWS = OpRow[", *map(op_row, functions), "]\n"]
    lines += ["# Functions along dimensions.", "const ALONG_ROWS = AlongRow[", *map(along_row, along), "]\n"]
    return "\n".join(lines)


def generate(ops, header):
    return {
        "TileOps/src/generated/constants.jl": constants(header),
        "TileOps/src/generated/dtypes.jl": dtype_table(),
        "TileOps/src/generated/table.jl": table(ops),
    }
