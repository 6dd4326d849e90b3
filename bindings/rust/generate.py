"""The parts of the Rust binding that follow from the op table and from the header's enums:

tileops-sys/src/enums.rs    newtypes of the header's enums
tileops/src/dtype_table.rs  the dtypes
tileops/src/ops/*.rs        a struct of attributes and a function for every operator, by category
tileops/src/expr/methods.rs  the functions of expressions, as methods of the builder's values and of their rows
tileops/tests/common/*.rs   dispatch from names to those functions and methods

The text is what rustfmt would write; the tests compare.
"""

import re
import textwrap

from dtypes import dtypes
from functions import attribute_keys, function_rows, functions
from op_details import markdown_lines

NOTE = "// Written by `./dev bindings` from {}; do not edit.\n"
KEYWORDS = {"where"}


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def escape(text):
    """Plain text as Markdown: only what would be read as a link, a tag or emphasis changes."""
    text = re.sub(r"([\[\]])", r"\\\1", text)
    text = re.sub(r"<(?=[A-Za-z/])", r"\\<", text)
    return re.sub(r"(?<=\S)\*|\*(?=\S)", r"\\*", text)


def doc(text, indent=""):
    """A doc comment; code spans are kept as they are."""
    parts = text.split("`")
    parts[::2] = map(escape, parts[::2])
    width = 96 - len(indent)
    lines = []
    for line in "`".join(parts).split("\n"):
        lines += textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in lines)


# ------------------------------------------------------------------ enums ------------------


def enum_constants(body, ops):
    """[(name without prefix, value, comment)] of the text between an enum's braces."""
    if '"tileops/ops.def"' in body:
        rows = [(o["name"].upper(), o["op"], o["doc"]) for o in ops]
        return [("NONE", 0, "no operator")] + rows + [(f["NAME"], f["id"], f["doc"]) for f in function_rows()]
    if '"tileops/attrs.def"' in body:
        return [("NONE", 0, "no attribute")] + [(a["NAME"], a["id"], a["doc"]) for a in attribute_keys()]
    found = re.findall(r"TILEOPS_(\w+) = (\w+),?\s*(?:/\*(.*?)\*/)?", body, re.S)
    return [(name, int(value, 0), " ".join(text.split())) for name, value, text in found]


def enums(ops, header):
    out = NOTE.format("tileops/tileops.h") + "\n//! Enums of the C header, as newtypes.\n"
    for typedef, body in re.findall(r"(?:typedef int32_t (tileops_\w+);\s*)?enum \{(.*?)\};", header, re.S):
        constants = enum_constants(body, ops)
        if not typedef:  # bits of a uint32_t
            for name, value, text in constants:
                out += "\n" + doc(text or f"`TILEOPS_{name}`.") + f"pub const TILEOPS_{name}: u32 = {value};\n"
            continue
        # TILEOPS_PLAN_BYTES_MOVED is a tileops_plan_prop: the prefix is that of the type, or shorter.
        words = typedef.split("_")[1:]
        prefix = max(("_".join(words[:n]).upper() + "_" for n in range(len(words) + 1)),
                     key=lambda p: len(p) if all((name + "_").startswith(p) for name, _, _ in constants) else 0)
        names = [name.removeprefix(prefix) for name, _, _ in constants]
        out += f"""
/// `{typedef}`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct {typedef}(pub i32);

impl {typedef} {{
"""
        for short, (_, value, text) in zip(names, constants):
            out += doc(text or f"`{short}`.", "    ") + f"    pub const {short}: Self = Self({value});\n"
        out += "}\n"
    return out


# ------------------------------------------------------------------ operators --------------

RESULTS = {
    "promoted": "the promoted dtype of the inputs",
    "promoted_float": "the promoted dtype of the inputs; integers and bool give f32",
    "bool": "bool",
    "source": "that of the input",
}


def attribute(row):
    """A field of an operator's struct: documentation, type, default, and how it is handed to C."""
    default = row["default"]
    if "choices" in row:
        type_, push = camel(row["name"]), "choice"
        value = None if default is None else f"{type_}::{camel(default)}"
    elif row["kind"] == "float":
        type_, push, value = "f64", "float", None if default is None else repr(float(default))
    elif (row["min"], row["max"]) == (0, 1):
        type_, push, value = "bool", "flag", None if default is None else str(bool(default)).lower()
    else:
        type_, push, value = "i64", "int", None if default is None else str(default)
    shown = "absent" if default is None else str(default) if "choices" in row else value
    if value is None:
        type_, push, value = f"Option<{type_}>", f"optional_{push}", "None"
    text = row["doc"][0].upper() + row["doc"][1:]
    return doc(f"{text}. Default: {shown}.", "        ") + (
        f"        {row['name']}: {type_} = {value} => {push}({row['name'].upper()}),\n")


def operand(row):
    names = row["dtypes"]
    if row["promoted"]:
        names = [kind for kind, dtype in (("float", "f32"), ("int", "i32"), ("bool", "bool"), ("scale", "e8m0fnu")) if dtype in names]
    return f"`{row['name']}` ({'optional, ' if row['optional'] else ''}{' or '.join(names)})"


def operator(row):
    inputs, outputs = row["inputs"], row["outputs"]
    about = f"{row['doc']}.\n\nInputs: {', '.join(map(operand, inputs)) or 'none'}. "
    about += f"Output: `{outputs[0]['name']}`, of any dtype; the natural one is {RESULTS[row['result']]}."
    if len(outputs) > 1:
        about += f" Second output: {operand(outputs[1])}."
    details = "".join(f"    /// {line}".rstrip() + "\n" for line in markdown_lines(row.get("details", ""), 92))
    function = row["name"] + "_" if row["name"] in KEYWORDS else row["name"]
    head = f"{camel(row['name'])} = {row['name'].upper()}, {function}({', '.join(i['name'] for i in inputs)})"
    head += f" -> {', '.join(o['name'] for o in outputs)}"
    attrs = "".join(map(attribute, row["attributes"]))
    body = f"{{\n{attrs}    }}\n" if attrs else "{}\n"
    return "\noperator! {\n" + doc(about, "    ") + "    ///\n" + details + f"    {head} {body}}}\n"


def category(name, rows):
    out = NOTE.format("the operator table") + f"\n//! Operators: {name.replace('_', ' ')}.\n\n"
    choices = sorted({camel(a["name"]) for row in rows for a in row["attributes"] if "choices" in a})
    if choices:
        out += f"use super::choices::{{{', '.join(choices)}}};\n" if len(choices) > 1 else f"use super::choices::{choices[0]};\n"
    return out + "use crate::ops::macros::{operator, second};\n" + "".join(map(operator, rows))


def choices(ops):
    """Enums of the attributes with named choices."""
    attrs = [a for row in ops for a in row["attributes"] if "choices" in a]
    # Operators may know different numbers of choices; the longest list holds them all.
    named = {a["name"]: a for a in sorted(attrs, key=lambda a: len(a["choices"]))}
    out = NOTE.format("the operator table") + "\n//! Values of the attributes with named choices.\n\nuse crate::ops::macros::choice;\n"
    for name, row in sorted(named.items()):
        out += "\nchoice! {\n" + doc(f"{row['doc'][0].upper()}{row['doc'][1:]}.", "    ") + f"    {camel(name)} {{\n"
        for index, value in enumerate(row["choices"]):
            out += f"        /// `{value}`.\n        {camel(value)} = {index},\n"
        out += "    }\n}\n"
    return out


def table(ops, categories):
    """The operators as constants, and the modules of this folder."""
    modules = sorted([*categories, "choices"])
    out = NOTE.format("the operator table") + "\n"
    out += "".join(f"{'pub ' if name == 'choices' else ''}mod {name};\n" for name in modules) + "\n"
    out += "".join(f"pub use {name}::*;\n" for name in sorted(categories))
    out += "\nuse crate::Op;\nuse tileops_sys::tileops_op;\n\n/// Every operator, by name.\nimpl Op {\n"
    for row in ops:
        name = row["name"].upper()
        out += doc(f"`{row['name']}`: {row['doc']}.", "    ") + f"    pub const {name}: Op = Op(tileops_op::{name});\n"
    out += "}\n\n/// Every operator, with all the attributes that have defaults.\n#[cfg(test)]\n#[rustfmt::skip]\n"
    out += "pub(crate) fn all_defaults() -> Vec<(Op, crate::AttrList)> {\n    vec![\n"
    out += "".join(f"        {camel(row['name'])}::defaults(),\n" for row in ops)
    return out + "    ]\n}\n"


def dtype_table():
    """The enum of dtypes."""
    rows = []
    for row in dtypes():
        bits, _, small = row["name"].lstrip("abcdefghijklmnopqrstuvwxyz").partition("_")
        kind = "BF" if row["name"].startswith("bf") else "" if row["category"] == "B" else row["name"][0].upper()
        kind = kind + bits + re.sub("fnu?$", "", small).upper() if kind else row["name"].capitalize()
        rows.append((kind, row))

    def matched(column):
        return "".join(f"            DType::{name} => {column(row)},\n" for name, row in rows)

    out = NOTE.format("tileops/dtypes.def") + "\nuse tileops_sys::DLDataType;\n\n/// Type of the elements of a tensor.\n"
    out += "#[non_exhaustive]\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum DType {\n"
    for name, row in rows:
        out += doc(f"{row['doc'][0].upper()}{row['doc'][1:]}.", "    ") + f"    {name},\n"
    out += "}\n\n#[rustfmt::skip]\nimpl DType {\n    /// All of them.\n    pub const ALL: &'static [DType] = &[\n"
    out += "".join(f"        DType::{name},\n" for name, _ in rows) + "    ];\n\n"
    out += '    /// Its name in texts: `"float32"`.\n    pub const fn name(self) -> &\'static str {\n        match self {\n'
    out += matched(lambda row: f'"{row["name"]}"') + "        }\n    }\n\n"
    out += '    /// Its short name: `"f32"`.\n    pub const fn label(self) -> &\'static str {\n        match self {\n'
    out += matched(lambda row: f'"{row["label"]}"') + "        }\n    }\n\n"
    out += "    /// The DLPack type.\n    pub const fn to_dlpack(self) -> DLDataType {\n        match self {\n"
    out += matched(lambda row: f'DLDataType {{ code: {row["code"]}, bits: {row["bits"]}, lanes: {row["lanes"]} }}')
    return out + "        }\n    }\n}\n"


# ------------------------------------------------------------------ expressions ------------


def method(row):
    """A function of expressions as a method of its first value."""
    name = row["name"] + "_" if row["name"] in KEYWORDS else row["name"]
    (first, _), *rest = row["parameters"]
    text = row["doc"] + "."
    optional = [f"`{p}`" for p, may_be_absent in rest if may_be_absent]
    if optional:
        text += f" What is absent is `Term::ABSENT`: {' and '.join(optional)} may be."
    about = doc(text, "    ")
    if row["operator"]:
        about += f"    ///\n    /// Shapes, dtypes and attributes: [`ops::{camel(row['name'])}`](crate::ops::{camel(row['name'])}).\n"
    if row["rows"]:
        about += "    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].\n"
    parameters = [f"..{first}"] if row["variadic"] else [p for p, _ in rest]
    return about + f"    {name} = {row['name'].upper()}({', '.join(parameters)}),\n"


def along_axes(rows):
    """The functions that rows have; extent, too, is one of several axes."""
    return [row for row in rows if row["rows"] or row["name"] == "extent"]


def row_method(row):
    """A function along axes as a method of rows."""
    (first, _), *rest = row["parameters"][:row["values"]]
    parameters = [f"..{first}"] if row["variadic"] else [p for p, _ in rest]
    return doc(row["doc"] + ".", "    ") + f"    {row['name']} = {row['name'].upper()}({', '.join(parameters)}),\n"


def methods(rows):
    out = NOTE.format("the tables of operators and functions")
    out += "\n//! Functions of expressions, as methods of [`Node`], those along axes of [`Rows`] as well.\n\n"
    out += "use super::macros::{method, methods};\nuse super::{Node, Rows, Term};\n\nmethods! { Node:\n"
    out += "\n".join(map(method, rows)) + "}\n\nmethods! { Rows:\n"
    return out + "\n".join(map(row_method, along_axes(rows))) + "}\n"


def method_calls(rows):
    """Dispatch from names to the methods, for the tests."""
    out = NOTE.format("the tables of operators and functions") + """
//! The method of every function of expressions, by its name.

#![allow(dead_code)] // each test uses its part

use tileops::{Node, Rows};

/// Names, numbers of values and attributes, and methods.
#[rustfmt::skip]
#[allow(clippy::type_complexity)]
pub const METHODS: &[(&str, usize, for<'b> fn(&[Node<'b>]) -> Node<'b>)] = &[
"""
    for row in rows:
        name = row["name"] + "_" if row["name"] in KEYWORDS else row["name"]
        count = 2 if row["variadic"] else len(row["parameters"])
        arguments = "[v[1]]" if row["variadic"] else ", ".join(f"v[{i}]" for i in range(1, count))
        out += f'    ("{row["name"]}", {count}, |v| v[0].{name}({arguments})),\n'
    out += """];

/// Names, attributes and methods of those that rows have; the second value is what they take besides the first one.
#[rustfmt::skip]
#[allow(clippy::type_complexity)]
pub const ROWS: &[(&str, &[&str], for<'b> fn(Rows<'b>, Node<'b>) -> Node<'b>)] = &[
"""
    for row in along_axes(rows):
        names = ", ".join(f'"{name}"' for name in row["rows"] or ["axis"])
        argument = "[v]" if row["variadic"] else "v" if row["values"] > 1 else ""
        out += f'    ("{row["name"]}", &[{names}], |rows, {"v" if argument else "_"}| rows.{row["name"]}({argument})),\n'
    return out + "];\n"


def typed_calls(ops):
    """Dispatch from names to the typed functions, for the tests."""
    out = NOTE.format("the operator table") + """
//! The typed function of every operator, by its name.

#![allow(dead_code)] // each test uses its part

use tileops::{ops, Input, Result, TensorMut};

/// Runs `ops::NAME` on these operands; optional ones at the end may be left off.
#[rustfmt::skip]
pub fn call(name: &str, inputs: &[Input<'_>], outputs: &mut [&mut TensorMut<'_>]) -> Result<()> {
    let input = |i: usize| inputs.get(i).copied().unwrap_or(Input::ABSENT);
    let (first, rest) = outputs.split_first_mut().expect("at least one output");
    match name {
"""
    for row in ops:
        function = row["name"] + "_" if row["name"] in KEYWORDS else row["name"]
        operands = [f"input({i})" for i in range(len(row["inputs"]))] + ["first"]
        operands += ["rest.first_mut().map(|second| &mut **second)"] * (len(row["outputs"]) - 1)
        out += f'        "{row["name"]}" => ops::{function}({", ".join(operands)}),\n'
    return out + """        _ => panic!("no operator {name}"),
    }
}

/// Names and constants of all operators.
#[rustfmt::skip]
pub const TABLE: &[(&str, tileops::Op)] = &[
""" + "".join(f'    ("{row["name"]}", tileops::Op::{row["name"].upper()}),\n' for row in ops) + "];\n"


def generate(ops, header):
    categories = {}
    for row in ops:
        categories.setdefault(row["category"], []).append(row)
    files = {f"tileops/src/ops/table/{name}.rs": category(name, rows) for name, rows in categories.items()}
    files["tileops/src/ops/table/choices.rs"] = choices(ops)
    files["tileops/src/ops/table/mod.rs"] = table(ops, categories)
    files["tileops/src/dtype_table.rs"] = dtype_table()
    files["tileops/src/expr/methods.rs"] = methods(functions(ops))
    files["tileops/tests/common/methods.rs"] = method_calls(functions(ops))
    files["tileops/tests/common/typed.rs"] = typed_calls(ops)
    files["tileops-sys/src/enums.rs"] = enums(ops, header)
    return files
