"""Cases that are always among the random ones: texts that people wrote, of shapes that were slow (bench/rows has none of them)."""

from bench.random.texts import Case, Operand


def cases(scale=1):
    """`scale`: the largest extent is divided by it, for machines that are slower than a GPU."""
    def of(extent):
        return max(1, extent // scale)

    return [
        Case("grey_world", "(x) -> mean(x / 255, axis = (-3, -2))", [Operand("x", "u8", (1, of(4096), 4096, 3))]),
        Case("picture_norm",
             "(x) -> { v = x / 255; m = mean(v, axis = (-3, -2)); s = var(v, axis = (-3, -2)); cast((v - m) * rsqrt(s + 1e-5), f16) }",
             [Operand("x", "u8", (of(32), 512, 512, 3))]),
        Case("merge_states",
             "(o, l) -> { w = exp(l - amax(l, axis = -4)); t = sum(w, axis = -4); sum(w * o, axis = -4) / t, amax(l, axis = -4) + log(t) }",
             [Operand("o", "bf16", (4, of(4096), 32, 128)), Operand("l", "f32", (4, of(4096), 32, 1))]),
        Case("kmeans", "(x, c) -> argmin(sum((x - c) * (x - c)), axis = -2)",
             [Operand("x", "f32", (of(65536), 1, 8)), Operand("c", "f32", (64, 8))]),
        Case("entropy",
             "(x) -> { d = x - amax(x); e = exp(d); s = sum(e); cast(log(s) - sum(e * d) / s, f32) }",
             [Operand("x", "bf16", (of(1 << 23), 10))]),
    ]
