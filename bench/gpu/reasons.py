"""Why rows are below their targets: by the kind of kernel, the first rule that fits. Found for a few of
each kind by counting instructions of the machine code against what a multiprocessor issues while the
memory delivers an element; not row by row."""

MATH = {"exp", "log", "rsqrt", "sin", "cos", "erf", "log1p", "expm1", "pow", "gelu", "silu", "sigmoid", "tanh", "elu", "selu",
        "softplus", "mish", "remainder", "floor_divide", "silu_and_mul", "gelu_and_mul", "gelu_tanh_and_mul"}

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
    (lambda r: r["op"].startswith("hardswish") and r["group"] == "workloads",
     "13 instructions an element of data that is in L2, where fewer fit than beside the device's memory"),
    (lambda r: r["op"] in ("eq", "ne", "gt", "lt", "ge", "le") or r["op"].startswith(("clamp", "logical")),
     "8 to 15 instructions an element, by the machine code, of 16 to 40 that fit: latency, not arithmetic"),
    (lambda r: " window" in r["kernel"],
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


SPREAD = 0.98  # of a row in two runs


def reason(row):
    peers = [row[k] / row["ours_us"] for k in ("torch_us", "compile_us") if k in row]
    if row.get("share", 1) >= 0.97 and min(peers, default=1) >= SPREAD:
        return "within the spread between runs"
    for fits, text in RULES:
        if fits(row):
            return text
    return "not looked into"
