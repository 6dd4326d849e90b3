"""The generated files of the Julia binding: constants of the header, the table of operators, and a
function with its docstring for each operator. Called by tools/gen_bindings.py."""

import pathlib
import re
import textwrap

from dtypes import dtypes
from functions import ROWS, function_rows
from op_details import markdown_lines

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

# What row-major names of dimensions in a row's text are for Julia.
NOTES = {
    "prelu": "`weight` has one element, or one for each index along `axis`. Left out, `axis` is the last "
    "but one dimension: the channels of arrays with the batch last.",
    "gated": "Without `value` the first dimension of `gate` holds both: its first half is the gate, its "
    "second the value, and the result has half its size.",
    "rope": "The first dimension of `x` is the head's, which is rotated in pairs; `seq_axis` is the "
    "dimension that positions run along, left out the second of two, else the third.",
    "alibi": "`size` is `(Sk, Sq, H)`: keys, queries, heads.",
    "sinusoidal": "`size` is `(D, S)`: features, positions.",
}

EXAMPLES = {
    "exp": ("TileOps.exp.([0.0, 1.0])", "2-element Vector{Float64}:\n 1.0\n 2.718281828459045"),
    "round": ("TileOps.round([0.5, 1.25, 2.5]; decimals=1)", "3-element Vector{Float64}:\n 0.5\n 1.2\n 2.5"),
    "add": ("TileOps.add([1 2; 3 4], [10, 20])", "2×2 Matrix{Int64}:\n 11  12\n 23  24"),
    "div": ("TileOps.div([7, -7], 2; rounding=:floor)", "2-element Vector{Int64}:\n  3\n -4"),
    "pow": ("TileOps.pow([1.0, 2.0, 3.0]; exponent=2)", "3-element Vector{Float64}:\n 1.0\n 4.0\n 9.0"),
    "lerp": ("TileOps.lerp([0.0, 10.0], [10.0, 20.0]; weight=0.25)", "2-element Vector{Float64}:\n  2.5\n 12.5"),
    "gelu": ("TileOps.gelu(Float32[0, 10])", "2-element Vector{Float32}:\n  0.0\n 10.0"),
    "hardtanh": ("TileOps.hardtanh([-3.0, 0.5, 3.0])", "3-element Vector{Float64}:\n -1.0\n  0.5\n  1.0"),
    "prelu": (
        "TileOps.prelu([-1.0 -2.0; 3.0 -4.0], [0.5, 0.25]; axis=2)",
        "2×2 Matrix{Float64}:\n -0.5  -0.5\n  3.0  -1.0",
    ),
    "silu_and_mul": ("TileOps.silu_and_mul([0.0, 100.0, 3.0, 4.0])", "2-element Vector{Float64}:\n   0.0\n 400.0"),
    "gt": ("TileOps.gt([1, 2, 3], 2)", "3-element Vector{Bool}:\n 0\n 0\n 1"),
    "bitwise_xor": ("TileOps.bitwise_xor(UInt8[0x0f], UInt8[0xff])", "1-element Vector{UInt8}:\n 0xf0"),
    "logical_not": ("TileOps.logical_not([0.0, 2.0])", "2-element Vector{Bool}:\n 1\n 0"),
    "where": ("TileOps.where([true, false], [1.0, 2.0], -1.0)", "2-element Vector{Float64}:\n  1.0\n -1.0"),
    "clamp": ("TileOps.clamp([-5, 0, 5]; min=-1, max=3)", "3-element Vector{Int64}:\n -1\n  0\n  3"),
    "masked_fill": ("TileOps.masked_fill([1, 2], [true, false]; value=0)", "2-element Vector{Int64}:\n 0\n 2"),
    "nan_to_num": ("TileOps.nan_to_num([NaN, Inf]; posinf=1e3)", "2-element Vector{Float64}:\n    0.0\n 1000.0"),
    "cast": ("TileOps.cast([1.75, -300.0]; dtype=Int8)", "2-element Vector{Int8}:\n    1\n -128"),
    "dropout": ("TileOps.dropout([1.0, 2.0]; training=false)", "2-element Vector{Float64}:\n 1.0\n 2.0"),
    "alibi": ("TileOps.alibi((2, 2, 1))", "2×2×1 Array{Float32, 3}:\n[:, :, 1] =\n -0.0         -0.00390625\n -0.00390625  -0.0"),
    "sinusoidal": ("TileOps.sinusoidal((2, 2); dtype=Float64)", "2×2 Matrix{Float64}:\n 0.0  0.841471\n 1.0  0.540302"),
}

# Keywords of Julia, which are functions' names only in this form.
KEYWORDS = {"where"}


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
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$") + '"'


class Op:
    def __init__(self, op, rule, compute):
        if rule not in SIZES:
            raise SystemExit(f"bindings/julia/generate.py: tell in SIZES how the size of {op['name']}'s result follows")
        self.name, self.id, self.category, self.doc = op["name"], op["op"], op["category"], op["doc"]
        self.details = op.get("details", "")
        self.inputs, self.outputs, self.attrs = op["inputs"], op["outputs"], op["attributes"]
        self.rule, self.size = rule, SIZES[rule]
        self.result = {"promoted_float": "float"}.get(op["result"], op["result"])
        if compute == "quotient":
            self.result = "quotient"
        for output in self.outputs[1:]:
            assert output["optional"] and output["dtypes"] == ["bool"], f"{self.name}: optional outputs are masks"
        self.elementwise = rule in ("map", "cast", "clamp", "round", "masked_fill", "nan_to_num")
        self.const = "OP_" + self.name.upper()
        self.function = f'var"{self.name}"' if self.name in KEYWORDS else self.name

    def operand_name(self, operand):
        # A keyword of the same name stands in for it.
        clash = any(a["name"] == operand["name"] for a in self.attrs)
        return operand["name"] + ("_tensor" if clash else "")

    def promoted(self, i):
        # What fills takes the dtype of what is filled.
        return self.inputs[i]["promoted"] and not (self.rule == "masked_fill" and i > 0)

    def table(self):
        inputs = [
            f"Operand(:{o['name']}, {str(o['optional']).lower()}, {str(self.promoted(i)).lower()})"
            for i, o in enumerate(self.inputs)
        ]
        outputs = [f"Operand(:{o['name']}, {str(o['optional']).lower()}, false)" for o in self.outputs]
        attrs = [
            f"Attribute({a['key']}, :{attribute_kind(a)}, :{a['name']}, {default(a)}, "
            f"({''.join(f':{c}, ' for c in a.get('choices', []))[:-1 if a.get('choices') else None]}), {quote(a['doc'])})"
            for a in self.attrs
        ]
        return (
            f"const {self.const} = OpInfo({self.id}, :{self.name}, :{self.category}, {quote(self.doc)},\n"
            f"    :{self.result}, :{self.size},\n    Operand[{', '.join(inputs)}],\n    Operand[{', '.join(outputs)}],\n    Attribute["
            + ",\n     ".join(attrs)
            + "])\n"
        )

    def arguments(self):
        return [self.operand_name(o) + ("=nothing" if o["optional"] else "") for o in self.inputs]

    def keywords(self):
        # Where the result's dtype depends on a choice, its absence is a type that the compiler knows.
        unknown = self.result == "quotient"
        return [f"{a['name']}={'nothing' if unknown and 'choices' in a else default(a)}" for a in self.attrs]

    def masks(self):
        return [f"{o['name']}=false" for o in self.outputs[1:]]

    def signature(self, bang):
        arguments = self.arguments()
        if bang:
            arguments = [self.outputs[0]["name"] if self.outputs[0]["name"] not in self.input_names() else "out"] + arguments
            keywords = self.keywords() + ["context=nothing", "stream=nothing"]
        else:
            if self.size == "given":
                arguments = ["size"] + arguments
            keywords = self.masks() + self.keywords() + ["dtype=nothing", "context=nothing"]
        return arguments, keywords

    def input_names(self):
        return [self.operand_name(o) for o in self.inputs]

    def heading(self, bang):
        arguments, keywords = self.signature(bang)
        text = f"{self.name}{'!' if bang else ''}({', '.join(arguments)}; {', '.join(keywords)})"
        return textwrap.indent("\n".join(textwrap.wrap(text, 92, subsequent_indent=" " * (len(self.name) + 1 + bang))), "    ")

    def docstring(self):
        lines = [self.heading(False), self.heading(True)]
        if self.elementwise:
            lines.append(f"    {self.name}.({', '.join(self.input_names())})")
        lines += ["", markdown(self.doc) + ".", ""]
        if self.rule in NOTES:
            lines += textwrap.wrap(NOTES[self.rule], 98) + [""]
        for o in self.inputs:
            dtypes = o["dtypes"] if not o["promoted"] else dtype_sets(o["dtypes"])
            lines.append(f"- `{self.operand_name(o)}`: {' or '.join(dtypes)}{', may be absent' if o['optional'] else ''}")
        for o in self.outputs[1:]:
            lines.append(f"- `{o['name']}`: `true` to return it as well; in place, give `({self.outputs[0]['name']}, {o['name']})`")
        for a in self.attrs:
            lines += textwrap.wrap(f"- `{a['name']}`: {self.attribute_text(a)}", 98, subsequent_indent="  ")
        if self.name in EXAMPLES:
            call, shown = EXAMPLES[self.name]
            lines += ["", "```jldoctest", f"julia> {call}", shown, "```"]
        lines += ["", "# Extended help", ""]
        lines += textwrap.wrap("The text of the C library's table. Its shapes are in row-major order: here "
                               "dimensions come in the reverse order, and the last one there is the first.", 98)
        lines += [""] + markdown_lines(self.details, 94, spans)
        return '"""\n' + "\n".join(lines) + '\n"""'

    @staticmethod
    def attribute_text(a):
        text = markdown(a["doc"])
        if a["name"] == "axis":
            text = "channel dimension"
        if a["name"] == "seq_axis":
            text = "position dimension"
        if a["name"] == "interleaved":
            text = "1: pairs of neighbours; 0: of elements half a head apart"
        if "choices" in a:
            text += ": " + " or ".join(f"`:{c}`" for c in a["choices"])
        return text

    def functions(self):
        values = "".join(a["name"] + ", " for a in self.attrs)
        values = f"({values[:-1] if len(self.attrs) == 1 else values[:-2]})"
        inputs = self.input_names()
        inputs = f"({', '.join(inputs)}{',' if len(inputs) == 1 else ''})"
        extra = "dtype=dtype, context=context"
        if self.size == "given":
            extra += ", size=size"
        masks = [o["name"] for o in self.outputs[1:]]
        if masks:
            extra += f", optional=({', '.join(masks)},)"
        arguments, keywords = self.signature(False)
        lines = [self.docstring()]
        lines.append(wrap(f"{self.function}({', '.join(arguments)}; {', '.join(keywords)})") + " =")
        lines.append(f"    apply({self.const}, {inputs}, {values}; {extra})")
        arguments, keywords = self.signature(True)
        bang = f'var"{self.name}!"' if self.name in KEYWORDS else self.name + "!"
        lines.append(wrap(f"{bang}({', '.join(arguments)}; {', '.join(keywords)})") + " =")
        lines.append(f"    apply!({self.const}, {arguments[0]}, {inputs}, {values}; context=context, stream=stream)")
        lines.append(f"@doc (@doc {self.function}) {bang}")
        return "\n".join(lines) + "\n"


class ExprFunction:
    """A row of functions.def that maps elements: part of dotted expressions, and nothing else."""

    RESULTS = {"promote": "promoted", "to_float": "float", "truth": "bool"}

    def __init__(self, row, attrs):
        self.id, self.name, self.doc = row["id"], row["name"], row["doc"]
        self.inputs = row["slots"].split()
        self.attrs = [attrs[re.match(r"\w+", text)[0]] for text in row["attrs"].split()]
        self.result = self.RESULTS[row["compute"]]
        self.const = "OP_" + self.name.upper()

    def table(self):
        inputs = ", ".join(f"Operand(:{name}, false, true)" for name in self.inputs)
        attrs = ", ".join(f"Attribute({a['key']}, :{a['kind']}, :{a['name']}, {default(a)}, (), {quote(a['doc'])})"
                          for a in self.attrs)
        return (f"const {self.const} = OpInfo({self.id}, :{self.name}, :function, {quote(self.doc)},\n"
                f"    :{self.result}, :function,\n"
                f"    Operand[{inputs}],\n    Operand[Operand(:y, false, false)],\n    Attribute[{attrs}])\n")

    def functions(self):
        inputs = ", ".join(self.inputs)
        keywords = "; " + ", ".join(f"{a['name']}={default(a)}" for a in self.attrs) if self.attrs else ""
        given = "; attributes..." if self.attrs else ""
        lines = ['"""', f"    {self.name}.({inputs}{keywords})", "", markdown(self.doc) + ".", ""]
        lines += [f"- `{a['name']}`: {markdown(a['doc'])}" for a in self.attrs]
        lines += [""] if self.attrs else []
        lines += [f"For expressions alone: there is no `{self.name}!`.", '"""']
        lines.append(f"{self.name}({inputs}{given}) =")
        lines.append(f"    Runtime.elementwise(Runtime.Attributed({self.name}{given}), {inputs})")
        return "\n".join(lines) + "\n"


class RowFunction:
    """A row of functions.def that goes along dimensions: an expression of it alone."""

    DEFAULTS = {"correction": "0", "reverse": "false", "exclusive": "false", "rows": "128"}
    DOCS = {
        "dims": "dimensions that it goes along: an integer, several in a tuple, or `:` for all; they stay, with size 1",
        "group": "cuts a dimension into groups of so many elements, of which the last may be short; a tuple, with a number "
                 "for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is said)",
        "correction": "what is taken off the number of elements",
        "reverse": "from the last element to the first",
        "exclusive": "without the element itself",
        "rows": "rows of a tile: 128 or 8",
    }
    ROW_EXAMPLES = {
        "sum": ("TileOps.sum([1 2; 3 4])", "1×2 Matrix{Int64}:\n 4  6"),
        "amax": ("TileOps.amax([1.0, 5.0, 2.0, 4.0, 3.0]; group=2)", "3-element Vector{Float64}:\n 5.0\n 4.0\n 3.0"),
        "var": ("TileOps.var([1.0 2.0; 3.0 6.0]; dims=:, correction=1)", "1×1 Matrix{Float64}:\n 4.666666666666667"),
        "argmax": ("TileOps.argmax([1 9; 7 3]; dims=2)", "2×1 Matrix{Int64}:\n 2\n 1"),
        "spread": ("TileOps.spread([5.0, 4.0, 3.0], zeros(5); group=2)",
                   "5-element Vector{Float64}:\n 5.0\n 5.0\n 4.0\n 4.0\n 3.0"),
        "gather": ("TileOps.gather([10 20 30; 40 50 60], [3 1]; dims=2)", "2×2 Matrix{Int64}:\n 30  10\n 60  40"),
        "scatter": ("TileOps.scatter!([0, 0, 0], [7, 8], [3, 1])", "3-element Vector{Int64}:\n 8\n 0\n 7"),
    }

    def __init__(self, row):
        self.name, self.doc, self.kind = row["name"], row["doc"], row["kind"]
        self.inputs = row["slots"].split()
        self.attrs = re.findall(r"(?:^| )(\w+)", row["attrs"])

    def keywords(self):
        named = [f"{name}={self.DEFAULTS[name]}" for name in self.attrs if name in self.DEFAULTS]
        if "group" in self.attrs:
            return ["group=nothing", "dims=first_dims(group)"] + named
        return (["dims=1"] if "axis" in self.attrs else []) + named

    def shown(self):
        """The keywords as docstrings have them."""
        return ["dims=1" if word.startswith("dims") else word for word in sorted(self.keywords(), key=lambda w: not w.startswith("dims"))]

    def docstring(self):
        operands = ", ".join(self.inputs)
        lines = [] if self.kind == "scatter" else [f"    {self.name}({operands}; {', '.join(self.shown())}, context=nothing)"]
        lines += [f"    {self.name}!(y, {operands}; {', '.join(self.shown())}, context=nothing, stream=nothing)"]
        lines += ["", markdown(self.doc) + ".", ""]
        if self.kind in ("gather", "scatter"):
            lines += textwrap.wrap("Indices count from 1, one array of them for each of `dims`; all other dimensions are "
                                   "broadcast. An index that is 0 or less, or beyond the size, is outside: "
                                   + ("it gives NaN, of integers 0." if self.kind == "gather" else "nothing is written there."), 98)
        elif self.name.startswith("arg"):
            lines += textwrap.wrap("It counts from 1, over several `dims` as `LinearIndices` of them.", 98)
        lines += [""] if lines[-1] else []
        words = [word.split("=")[0] for word in self.shown()]
        one = self.kind in ("gather", "scatter", "scan")
        docs = dict(self.DOCS, **({"dims": "the dimension that it goes along" + (
            ", or a tuple with one for each index" if self.kind != "scan" else "")} if one else {}))
        for word in words:
            lines += textwrap.wrap(f"- `{word}`: {docs[word]}", 98, subsequent_indent="  ")
        if self.name in self.ROW_EXAMPLES:
            call, shown = self.ROW_EXAMPLES[self.name]
            lines += ["", "```jldoctest", f"julia> {call}", shown, "```"]
        return '"""\n' + "\n".join(lines) + '\n"""'

    def functions(self):
        operands = ", ".join(self.inputs)
        inputs = f"({operands},)" if len(self.inputs) == 1 and "..." not in operands else f"({operands})"
        dims, group = ("dims" if "axis" in self.attrs else "nothing"), ("group" if "group" in self.attrs else "nothing")
        names = [name for name in self.attrs if name in self.DEFAULTS]
        given = f"({', '.join(f'{name}={name}' for name in names)},)" if names else "NamedTuple()"
        said = f"{inputs}, {dims}, {group}, {given}; context=context"
        out = self.docstring() + "\n"
        if self.kind != "scatter":
            out += wrap(f"{self.name}({operands}; {', '.join(self.keywords() + ['context=nothing'])})") + " =\n"
            out += f"    along(Val(:{self.name}), {said})\n"
        out += wrap(f"{self.name}!(y, {operands}; {', '.join(self.keywords() + ['context=nothing', 'stream=nothing'])})") + " =\n"
        out += f"    along!(Val(:{self.name}), y, {said}, stream=stream)\n"
        return out + ("" if self.kind == "scatter" else f"@doc (@doc {self.name}) {self.name}!\n")


def row_functions():
    return [RowFunction(row) for row in function_rows() if row["kind"] in ROWS | {"tiled"}]


def expr_functions(ops):
    attrs = {a["name"]: a for op in ops for a in op["attributes"] if op["name"] == "dropout"}
    return [ExprFunction(row, attrs) for row in function_rows() if row["kind"] in ("map", "dropout_mask")]


def dtype_sets(dtypes):
    sets = []
    for name, member in (("float", "f32"), ("integer", "i32"), ("Bool", "bool"), ("scale", "e8m0fnu"), ("packed", "e2m1fn")):
        if member in dtypes:
            sets.append(name)
    return sets


def markdown(text):
    """Plain text in a docstring: neither * and _ nor $ mean anything."""
    return re.sub(r"[*_]", lambda m: "\\\\" + m[0], text).replace("$", "\\$")


def spans(text):
    """The same where code spans are kept as they are."""
    parts = text.split("`")
    parts[::2] = map(markdown, parts[::2])
    return "`".join(parts)


def wrap(text):
    indent = " " * (text.index("(") + 1)
    return "\n".join(textwrap.wrap(text, 98, subsequent_indent=indent, break_long_words=False))


def generate(ops, header):
    row = rules()
    all_ops = [Op(op, *row[op["name"]]) for op in ops]
    table = [NOTICE] + [op.table() for op in all_ops]
    table.append("const OPERATORS = [" + ",\n    ".join(op.const for op in all_ops) + "]\n")
    table.append("for op in OPERATORS\n    BY_NAME[op.name] = op\nend\n")
    functions_of_expr = expr_functions(ops)
    table.append("# Functions that only expressions have.\n")
    table += [f.table() for f in functions_of_expr]
    table.append("const FUNCTIONS = [" + ", ".join(f.const for f in functions_of_expr) + "]\n")
    names = [op.const for op in all_ops + functions_of_expr]
    functions = [NOTICE]
    functions.append("\n".join(textwrap.wrap(f"using .Runtime: apply, apply!, {', '.join(names)}", 100, subsequent_indent="    ")) + "\n")
    category = None
    for op in all_ops:
        if op.category != category:
            category = op.category
            functions.append(f"# {'-' * 66} {category} {'-' * (29 - len(category))}\n")
        functions.append(op.functions())
    functions.append(f"# {'-' * 66} of expressions {'-' * 15}\n")
    functions += [f.functions() for f in functions_of_expr]
    functions.append(f"# {'-' * 66} along dimensions {'-' * 13}\n")
    functions.append("using .Runtime: along, along!, first_dims\n")
    functions += [f.functions() for f in row_functions()]
    functions.append("# Those that `f.(x)` is one kernel for.")
    dotted = [(op.function, op.name, op.const) for op in all_ops if op.elementwise]
    dotted += [(f.name, f.name, f.const) for f in functions_of_expr]
    types = ",\n    ".join(f"typeof({function})" for function, _, _ in dotted)
    functions.append(f"const Elementwise = Union{{{types}}}\n")
    functions += [f"Runtime.Attributed(::typeof({function}); k...) = Runtime.Attributed(Val(:{name}), {const}; k...)"
                  for function, name, const in dotted]
    whole = [op.function for op in all_ops if not op.elementwise] + [f.name for f in row_functions() if f.kind != "scatter"]
    types = ",\n    ".join(f"typeof({function})" for function in whole)
    functions.append(f"\n# Those that are of whole arrays, so that `f.(x)` is refused.\nconst OfArrays = Union{{{types}}}\n")
    return {
        "TileOps/src/generated/constants.jl": constants(header),
        "TileOps/src/generated/dtypes.jl": dtype_table(),
        "TileOps/src/generated/table.jl": "\n".join(table),
        "TileOps/src/generated/ops.jl": "\n".join(functions) + "\n",
    }
