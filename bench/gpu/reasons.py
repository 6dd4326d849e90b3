"""Why rows are below their targets: by the kind of kernel, the first rule that fits. Found for a few of
each kind by counting instructions of the machine code against what a multiprocessor issues while the
memory delivers an element; not row by row. Reasons that end in "by construction" follow from what the kernel
does and were not counted or profiled."""

MATH = {"exp", "log", "rsqrt", "sin", "cos", "erf", "log1p", "expm1", "tan", "asin", "acos", "atan", "sinh", "cosh",
        "asinh", "acosh", "atanh", "exp2", "log2", "log10", "cbrt", "sinc", "erfc", "erfinv", "lgamma", "atan2", "hypot", "fmod", "logaddexp",
        "logsigmoid", "softsign", "celu", "tanhshrink", "pow", "gelu", "silu", "sigmoid", "tanh", "elu", "selu",
        "softplus", "mish", "remainder", "floor_divide", "silu_and_mul", "gelu_and_mul", "gelu_tanh_and_mul"}

# Rows whose buffers are taken in turn, so that nothing is in the L2: what holds for data in it does not here.
ROTATED = [
    (lambda r: r["ours_us"] < 8, "a few microseconds: the launch and the latency of one wave's loads from the device's memory, not the body; by construction"),
]

# Heavy operators over layouts. The copy reads what the layout makes the device read.
HEAVY = [
    (lambda r: r["op"].endswith(":row") and r["op"].startswith(("gelu", "softplus", "dropout")),
     "the row stays in the caches, so that the arithmetic of each element has the time of its result's write alone; by construction"),
    (lambda r: r["op"].startswith("dropout"), "Philox4x32-10 for each element, as in contiguous rows, beside the layout's index; by construction"),
    (lambda r: "transposed" in r["op"],
     "through shared memory with two barriers a square, between which the arithmetic has no loads to overlap with; by construction"),
    (lambda r: "every second" in r["op"], "single elements of half-used sectors, an index for each beside the arithmetic; by construction"),
]

RULES = [
    (lambda r: r["group"] in ("sizes", "workloads") and r["ours_us"] < 4 and r["op"].split(":")[0] not in MATH,
     "a few microseconds: the launch and the tail of one wave, not the kernel's body"),
    (lambda r: "pairs" in r["kernel"], "a lookup a pair in 64 KiB of shared memory: 3.5 lanes of a warp meet in a bank on average"),
    (lambda r: r["kernel"].startswith("lookup"),
     "a table of results: each block fills shared memory with it (8 KiB, or 128 of 16-bit operands) before its first"),
    (lambda r: r["op"].startswith("rope") and r["dtype"] == "f64", "f64 arithmetic: sines and cosines, and LongRoPE's division, for each element"),
    (lambda r: r["op"].startswith("rope") and r["dtype"] == "f32", "12 instructions an element, two operands and results by each thread: latency"),
    (lambda r: r["op"].startswith("rope") and r["op"].endswith("tables"),
     "cosines and sines are read in float32 beside the heads, which wait for them: 15 instructions an element (9 of 8 bits)"),
    (lambda r: r["op"].startswith("rope") and r["dtype"] in ("e4m3fn", "e5m2"),
     "9 (e4m3fn) and 13 instructions an element (e5m2) of 15 that fit, 6 and 10 of them conversions and the rotation itself"),
    (lambda r: r["op"].startswith("rope"), "24 instructions an element of 31 that fit, a quarter of a pack's sines and cosines by each thread"),
    (lambda r: r["op"].startswith("dropout"), "Philox4x32-10: 20 wide multiplications at half rate for 4 elements; 24 to 30 instructions an element in all (40 in float32)"),
    (lambda r: "transposed" in r["op"], "through shared memory: two barriers a square, and bank conflicts of 8-bit elements"),
    (lambda r: r["op"].startswith(("alibi", "sinusoidal")), "no operand to read: arithmetic for each element against half the traffic"),
    (lambda r: r["dtype"] in ("e4m3fn", "e5m2"), "conversion of 8-bit floats: more instructions an element than its bytes give time for"),
    (lambda r: r["op"].startswith("hardswish") and r["group"] == "workloads" and r.get("data") != "rotated",
     "13 instructions an element of data that is in L2, where fewer fit than beside the device's memory"),
    (lambda r: r["op"] in ("eq", "ne", "gt", "lt", "ge", "le") or r["op"].startswith(("clamp", "logical")),
     "8 to 15 instructions an element, by the machine code, of 16 to 40 that fit: latency, not arithmetic"),
    (lambda r: " window" in r["kernel"] or " activations" in r["kernel"],
     "one block of 32 warps a multiprocessor, each with one pack on its way (two: slower), 11 to 17 % of them with an activation looked up in f64"),
    (lambda r: "fast<" in r["kernel"] and " table" in r["kernel"],
     "14 to 25 instructions an element of 31 that fit, most with a rounding test and its table"),
    (lambda r: r["op"].startswith("pow") and "fast<" in r["kernel"],
     "35 (bfloat16) and 53 instructions an element (float16), the rounding test and an f64 form of 300 behind it"),
    (lambda r: r["op"].startswith(("remainder", "floor_divide")),
     "an exact remainder in f64; one pack of four in seven has a quotient above 512 in f16 and is divided anew"),
    (lambda r: "fast<" in r["kernel"] and r["op"].split(":")[0] in MATH, "the rounding test, and registers bounded for the f64 form behind it"),
    (lambda r: r["dtype"] == "f64", "f64 arithmetic: 64 FMA a clock and multiprocessor"),
    (lambda r: r["dtype"] == "f32" and r["op"].split(":")[0] in MATH, "arithmetic: 44 to 65 instructions an element for at most 1 ulp (2 for composed ones), of 62 that could be issued"),
]


OFTEN = 0.8  # of the rounds: slower in so many is no chance


def within_spread(row, peer, least):
    """Whether the rounds of this row, each peer's time over ours in the same round, reach `least` often enough that the
    median below it may be chance. False where no rounds were recorded."""
    pair = row.get("pairs", {}).get(peer)
    if not pair or pair["p90"] < least:
        return False
    return peer == "copy" or pair["slower"] < OFTEN * pair["rounds"]


def reason(row, peer, least):
    """Why `row` is below `least` times the speed of `peer` ("copy", "torch", "compile" or "max")."""
    if within_spread(row, peer, least):
        return "within the spread between rounds"
    first = ROTATED if row.get("data") == "rotated" else HEAVY if row["group"] == "heavy" else []
    for fits, text in first + RULES:
        if fits(row):
            return text
    return "not looked into"
