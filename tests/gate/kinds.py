"""What is known to break a rule today, by the kind of its cause: which findings are of it, how far they may go, and an example that
must still be one. When a kernel is mended its example is none any more, and the gate says that the kind is to be taken out of here:
so the list shrinks. A finding that is of no kind, or beyond its kind's limit, is a failure."""

import dataclasses
from typing import Callable

from bench.random.texts import SIZES, Case, Operand

DEAR = {"exp", "tanh", "sigmoid", "silu", "gelu", "log", "div", "sqrt", "rsqrt"}
SPILLS = 6000  # bytes of a thread at most; 3,088 were seen in some 800 random cases
UNROLLED = 60  # times the bound of PTX: 22 were seen


@dataclasses.dataclass
class Kind:
    rule: str
    name: str
    why: str
    holds: Callable  # of a finding
    times: float  # how many times the bound at most
    example: Case


def has(*names):
    return lambda f: any(step.startswith(names) for step in f.part["steps"])


def in_columns(f):
    return f.part["template"] == "columns"


def is_odd(f):
    """Has an operand, what is stored of it as float32, or a view of the pass rows that no access of 8 bytes divides?"""
    rows = [o.shape[-1] * size for o in f.case.operands for size in (SIZES[o.dtype], 4)]
    return any(n % 8 for n in [*rows, *(v["inner_bytes"] for v in f.part["views"])])


def is_once_a_row(f):
    """Has the view a value for each row of elements: of a pass of rows, or of one that brings such values back?"""
    values = f.view["bytes"] // SIZES.get(f.view["dtype"], 8)
    return f.part["template"] != "columns" and not f.view["inner_is_reduced"] and (f.part["template"] == "rows" or values < f.part["elements"])


def is_beside_wider(f):
    """Does a thread have 16 bytes of another view, of elements that are wider?"""
    return SIZES[f.view["dtype"]] == 1 and any(v["access"] == 16 for v in f.part["views"])


def is_parted_late(f):
    """A few rows that are long, but not very long, each of which has one thread block."""
    length = f.part["length"]
    return not in_columns(f) and f.part["rows"] < 132 and min(f.part["turn"] * f.part["threads"], 1 << 14) < length < 1 << 18


def goes_around(f):
    """A thread goes through its elements in a loop."""
    part = f.part
    return in_columns(f) or not part["kept"] or part["length"] > part["turn"] * part["threads"]


def is_gathered(f):
    return any(v["gathered"] for part in f.passes for v in part["views"])


def stores_maps(f):
    return any(v["store"] and v["kind"] == "temporary" for part in f.passes for v in part["views"])


def reads_again(f):
    return any(n > 1 for part in f.passes for n in part["readings"]) or len(f.passes) > 1


def loads_twice(f):
    """Does a pass have two loads of one operand?"""
    slots = [[v["slot"] for v in part["views"] if not v["store"] and v["kind"] == "operand"] for part in f.passes]
    return any(len(set(loads)) < len(loads) for loads in slots)


def case(text, *operands):
    return Case("example", text, [Operand(name, dtype, shape) for name, dtype, shape in operands])


FEW = case("(x) -> sum(x, axis = (-3, -2))", ("x", "bf16", (78667, 29, 20)))
SOFTMAX = case("(x) -> { v = x - logsumexp(x, axis = -2); rsqrt(v * v + 1.0) }", ("x", "bf16", (195, 109248)))
LONG_COLUMNS = case("(x) -> { v = x - logsumexp(x, axis = -2); rsqrt(v * v + 1.0) }", ("x", "bf16", (1950, 10924)))
LONG = case("(x) -> var(x)", ("x", "f16", (4, 2358735)))
BIAS = case("(x) -> { v = cumsum(x); (v), mean(v, axis = -2) }", ("x", "bf16", (4096, 5152)))
SCAN = case("(x) -> cumsum(x)", ("x", "f32", (1, 1 << 22)))
WIDE = case("(x) -> { v = silu(rsqrt(x * x + 1.0)); v * rsqrt(amin(v)) }", ("x", "f16", (164, 37532)))
SPILLED = case("(x, y) -> { v = abs(silu(x)) - y; v * rsqrt(logsumexp(v) * logsumexp(v) + 1.0) + y }", ("x", "bf16", (1008, 2, 14561)),
               ("y", "f32", (1, 2, 14561)))

KINDS = [
    Kind("blocks", "few columns", "sums of more than 16 columns are parted only by powers of two along the last axis that is reduced", in_columns, 140, FEW),
    Kind("blocks", "a scan", "of columns that are scanned a thread block has 16 bytes of a row at least; and 65 to 98 rows have one each", has("scan"), 140,
         case("(x) -> cumsum(x, axis = -2)", ("x", "f32", (16384, 200)))),
    Kind("blocks", "a few long rows", "rows of less than 256 Ki are parted only where very few blocks would be busy", is_parted_late, 140,
         case("(x) -> amax(x)", ("x", "bf16", (17, 60000)))),
    Kind("blocks", "the first element", "a variance of very long rows has a pass that reads the first element alone", has("first"), 140, LONG),
    Kind("blocks", "chunks of rows", "what is added up over rows has a thread block for 32 of them, which leaves few of 2,048 to 4,224 rows",
         lambda f: f.part["sums_of_blocks"], 2.1,
         case("(x) -> sum(x * rsqrt(mean(x * x) + 1), axis = -2)", ("x", "bf16", (2304, 5152)))),
    Kind("access", "narrow inside", "less than 128 bytes lie together, of which each is asked for by itself", lambda f: f.view["inner_bytes"] < 128, 8,
         case("(x) -> sum(x)", ("x", "bf16", (1 << 22, 7)))),
    Kind("access", "once a row", "what lies side by side are values of rows, each of which is stored or taken by itself", is_once_a_row, 8,
         case("(x) -> amax(x)", ("x", "f32", (1 << 22, 4)))),
    Kind("access", "odd rows", "rows that no 8 bytes divide are read element by element", is_odd, 8,
         case("(x) -> sum(x)", ("x", "bf16", (1416, 50257)))),
    Kind("access", "bytes beside floats", "a thread has as many elements as 16 bytes of a wider view hold", is_beside_wider, 2,
         case("(x) -> { v = x / 255; v - amin(v) }", ("x", "u8", (258, 84408)))),
    Kind("access", "few columns a thread", "where columns are few each thread has one, of bytes two or four", in_columns, 8,
         case("(x) -> amin(x, axis = -2)", ("x", "bf16", (1800, 412)))),
    Kind("instructions", "a scan", "each element meets the nodes of the tree on its left", has("scan"), 6, SCAN),
    Kind("instructions", "few elements a thread", "what a thread does once is not shared by many elements", lambda f: f.part["turn"] <= 16, 4,
         case("(x) -> x - amax(x)", ("x", "f32", (199, 36814)))),
    Kind("instructions", "functions within one ulp", "exp, division and the like have their exact forms, with branches for rare values", has(*DEAR), 2,
         case("(x) -> amax(sqrt(abs(x / (abs(mean(x)) + 1)) + 1), axis = all)", ("x", "bf16", (3, 1322092, 7)))),
    Kind("instructions", "columns by rows", "columns that are scanned, or lie in parts, have a kernel of rows, which finds each element of a run of 32 by itself",
         lambda f: not in_columns(f) and f.part["turn"] == 32 and f.part["vec"] == 1, 3,
         case("(t, i) -> cumsum(gather(t, i, axis = -2), axis = -2)", ("t", "bf16", (623987, 7)), ("i", "i64", (820152, 1)))),
    Kind("instructions", "far from 0", "logsumexp of columns has the way of elements far from 0 beside that of others for each", has("log_sum_exp", "log_sum_exp_pair"), 6,
         case("(t, i) -> logsumexp(gather(t, i, axis = -2), axis = -2)", ("t", "bf16", (173817, 147)), ("i", "i64", (292110, 1)))),
    Kind("instructions", "sums over blocks", "a thread adds to its sums of 32 rows, with low parts", lambda f: f.part["sums_of_blocks"], 4, BIAS),
    Kind("local", "levels of the tree", "a thread that takes its elements in a loop has the nodes of each level in an array", goes_around, SPILLS,
         SOFTMAX),
    Kind("local", "far from 0", "a pack whose elements logsumexp cannot scale to one exponent goes through a loop, with an array", has("log_sum_exp", "log_sum_exp_pair"),
         SPILLS, case("(x) -> logsumexp(x)", ("x", "bf16", (8192, 1024)))),
    Kind("local", "many elements a thread", "what a thread keeps of them does not fit into its registers", lambda f: f.part["turn"] >= 16,
         SPILLS, SPILLED),
    Kind("local", "large thread blocks", "more than 512 threads have too few registers for what they keep", lambda f: f.part["threads"] > 512,
         SPILLS, WIDE),
    Kind("ptx", "runs of columns", "a run of 32 elements of each column is unrolled, for each stage", in_columns, UNROLLED, SOFTMAX),
    Kind("ptx", "many elements a thread", "all elements of a thread are unrolled, aligned and not", lambda f: f.part["turn"] >= 8, UNROLLED, WIDE),
    Kind("bytes", "maps in memory", "what is gathered from, or reduced along other axes, is stored on its way", stores_maps, 20,
         case("(x, i) -> gather(tanh(x), i)", ("x", "bf16", (8192, 1024)), ("i", "i64", (8192, 1024)))),
    Kind("bytes", "read where it was found", "an element that is gathered is read again, though it was there", is_gathered, 2,
         case("(x) -> gather(x, argmax(x))", ("x", "f16", (1 << 22, 2)))),
    Kind("bytes", "taken in two types", "an operand that is taken as an integer and as a float is a load of each", loads_twice, 2,
         case("(x) -> { m = amax(x); log(sum(exp(1.0 * x - m))) }", ("x", "i64", (119, 161787)))),
    Kind("bytes", "read again", "each stage, or each pass, reads its operands again", reads_again, 6, LONG_COLUMNS),
]


def kinds_of(finding):
    return [k for k in KINDS if k.rule == finding.rule and k.holds(finding)]
