"""Texts whose functions are compiled, and run on a GPU: (text, options of the command, elements of a thread, lanes, elements of a
pack, 0 for all that a thread has)."""

POINTWISE = [(text, options, n, 1, 0) for text, options, n in [
    ("(x) -> gelu(x)", [], 8),
    ("(x) -> silu(x)", ["-d", "bf16"], 8),
    ("(x) -> tanh(x) + exp(x)", ["-d", "f16"], 4),
    ("(g, u) -> silu(g) * u", ["-d", "bf16"], 8),
    ("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r", ["-d", "bf16"], 8),
    ("(acc, bias) -> cast(gelu(acc + bias), e4m3fn)", [], 16),
    ("(acc, bias) -> cast(gelu(acc + bias), e5m2)", [], 4),
    ("(acc, bias; scale = 2.0) -> cast(relu(acc + bias) * scale, bf16)", ["-d", "bias=bf16"], 8),
    ("(acc, bias) -> cast(silu(acc) * bias, f16)", ["--shape", "1024", "--shape", "bias="], 2),
    ("(x) -> leaky_relu(x, negative_slope=0.2)", [], 4),
    ("(x; slope = 0.1) -> leaky_relu(x, negative_slope=slope)", [], 4),
    ("(x) -> clamp(x, min=-1, max=1) / 3", [], 4),
    ("(a, b) -> maximum(a, b) - minimum(a, b), a * b", [], 4),
    ("(a, b, c) -> where(a > b, b, c)", ["-d", "bf16"], 8),
    ("(a, b) -> a > b", [], 4),
    ("(x) -> sqrt(abs(x)) * rsqrt(x * x + 1)", [], 1),
    ("(x) -> sin(x) * cos(x)", [], 2),
    ("(x, y) -> pow(abs(x), y)", [], 2),
    ("(x) -> cast(x, i8)", [], 4),
    ("(q, s) -> cast(q, f32) * s", ["-d", "q=i8"], 4),
    ("(x) -> cast(cast(x, e4m3fn), f32)", ["-d", "bf16"], 8),
    ("(x) -> mish(x) + softplus(x) + log1p(abs(x))", ["-d", "f64"], 2),
    ("(a, b, w) -> lerp(a, b, w)", ["-d", "f16"], 4),
    ("(a, b) -> a + b", ["-d", "i32"], 4),
    ("(x) -> cast(gelu(x), bf16), sin(x)", [], 64),  # more than the bits of a mask
]]
ROWS = [(*row, *(() if len(row) == 5 else (0,))) for row in [
    ("(x) -> exp(x - amax(x)) / sum(exp(x - amax(x)))", ["-d", "bf16", "--shape", "64x256"], 8, 32),
    ("(x; scale = 1.0) -> exp(x * scale - amax(x * scale)) / sum(exp(x * scale - amax(x * scale)))", ["--shape", "64x16"], 16, 1),
    ("(x) -> exp(x - amax(x)) / sum(exp(x - amax(x)))", ["--shape", "64x64"], 16, 4),
    ("(x, w) -> x * rsqrt(mean(x * x) + 1e-6) * w", ["-d", "bf16", "--shape", "x=64x256", "--shape", "w=64x256"], 8, 32),
    ("(x) -> (x - mean(x)) * rsqrt(var(x) + 1e-5)", ["--shape", "64x128"], 4, 32),
    ("(x) -> sum(x), amax(abs(x))", ["--shape", "64x32"], 4, 8),
    ("(x) -> argmax(x)", ["--shape", "64x64"], 8, 8),
    ("(x) -> cast(x / maximum(amax(abs(x)) / 448, 1e-12), e4m3fn), maximum(amax(abs(x)) / 448, 1e-12)",
     ["-d", "bf16", "--shape", "64x128"], 4, 32),
    ("(x, s) -> x * s, sum(x * s)", ["--shape", "x=64x32", "--shape", "s=64x1"], 32, 1),
    ("(x) -> any(x > 3), prod(x)", ["--shape", "64x8"], 8, 1),
    # Rows that are no power of two: the last lanes have fewer, or none; or packs, of which some are missing to a power of two.
    ("(x) -> exp(x - amax(x)) / sum(exp(x - amax(x)))", ["-d", "bf16", "--shape", "64x1000"], 32, 32),
    ("(x) -> x - mean(x), argmax(x), prod(x)", ["--shape", "64x1000"], 32, 32, 8),
    ("(x, w) -> x * rsqrt(mean(x * x) + 1e-6) * w", ["-d", "bf16", "--shape", "x=64x768", "--shape", "w=64x768"], 24, 32, 8),
    ("(x) -> sum(x), argmin(x)", ["--shape", "64x3072"], 96, 32, 4),
    ("(x) -> (x - mean(x)) * rsqrt(var(x) + 1e-5)", ["-d", "bf16", "--shape", "64x5120"], 160, 32, 8),
    ("(x) -> cast(x / maximum(amax(abs(x)) / 448, 1e-12), e4m3fn), maximum(amax(abs(x)) / 448, 1e-12)",
     ["-d", "bf16", "--shape", "64x7168"], 224, 32, 8),
    ("(x) -> sum(x), all(x > 0)", ["--shape", "64x5"], 8, 1),
    ("(x) -> sum(x), x * 2", ["--shape", "64x7"], 1, 8),
    ("(x) -> sum(x), amin(x)", ["--shape", "64x12"], 12, 1, 4),
]]
TEXTS = POINTWISE + ROWS

# What is no function of registers, and what the message says.
REFUSED = [
    ("(x) -> x + index(x, axis=-1)", [], "position"),
    ("(x) -> cumsum(x)", ["--shape", "8x64"], "scan"),
    ("(x) -> sum(x, axis=-2)", ["--shape", "64x64"], "last one"),
    ("(x) -> spread(amax(x, group=16), x, group=16) * mean(x)", ["--shape", "8x64"], "group"),
    ("(x) -> chunk(x, i=0, n=2) * chunk(x, i=1, n=2)", [], "parts"),
    ("(x; t = 2.0) -> x * exp(t)", [], "scalar"),
    ("(t, i) -> gather(t, i)", ["-d", "i=i64"], ""),
]
