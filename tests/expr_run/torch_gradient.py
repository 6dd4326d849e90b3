#!/usr/bin/env python3
"""Gradients of expressions against torch.autograd: every differentiable function, random chains, ties.

Takes the path of libtileops.so. Where this Python has no torch, the one that TILEOPS_TORCH_PYTHON names is started;
without either the test is skipped (status 77), with the reason.
"""
import ctypes
import os
import random
import subprocess
import sys

SKIPPED = 77
try:
    import torch
except ImportError:
    other = os.environ.get("TILEOPS_TORCH_PYTHON")
    if other and os.path.realpath(other) != os.path.realpath(sys.executable):
        sys.exit(subprocess.run([other, __file__, *sys.argv[1:]], check=False).returncode)
    print(f"skipped: {sys.executable} has no torch, and TILEOPS_TORCH_PYTHON names no Python that has")
    sys.exit(SKIPPED)


class Tensor(ctypes.Structure):  # DLTensor
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


LIB = ctypes.CDLL(sys.argv[1])
LIB.tileops_last_error.restype = ctypes.c_char_p


def must(status):
    if status:
        raise RuntimeError(LIB.tileops_last_error().decode())


def tensor(t):
    assert t.is_contiguous()
    shape = (ctypes.c_int64 * t.dim())(*t.shape)
    code = {torch.float64: (2, 64), torch.float32: (2, 32), torch.bool: (6, 8)}[t.dtype]
    d = Tensor(t.data_ptr(), (ctypes.c_int32 * 2)(1, 0), t.dim(), *code, 1, shape, None, 0)
    d.keep = (t, shape)
    return d


def execute(expr, inputs, outputs):
    ins = [tensor(t) for t in inputs]
    outs = [tensor(t) for t in outputs]
    in_list = (ctypes.POINTER(Tensor) * len(ins))(*map(ctypes.pointer, ins))
    out_list = (ctypes.POINTER(Tensor) * len(outs))(*map(ctypes.pointer, outs))
    plan = ctypes.c_void_p()
    n, m = ctypes.c_size_t(len(ins)), ctypes.c_size_t(len(outs))
    must(LIB.tileops_plan_create_like_expr(None, expr, in_list, n, out_list, m, ctypes.byref(plan)))
    must(LIB.tileops_execute(plan, in_list, n, out_list, m, None))
    LIB.tileops_plan_destroy(plan)


def gradients(text, operands, cotangent):
    """Of all operands, which are (x, y, ...) of the text with one result."""
    expr, gradient = ctypes.c_void_p(), ctypes.c_void_p()
    must(LIB.tileops_expr_parse(text.encode(), ctypes.c_size_t(len(text)), ctypes.byref(expr)))
    which = [i for i, t in enumerate(operands) if t.is_floating_point()]
    must(LIB.tileops_expr_gradient(expr, (ctypes.c_int32 * len(which))(*which), ctypes.c_size_t(len(which)),
                                   ctypes.byref(gradient)))
    results = [torch.empty_like(operands[i]) for i in which]
    execute(gradient, [*operands, cotangent], results)
    LIB.tileops_expr_destroy(expr)
    LIB.tileops_expr_destroy(gradient)
    return which, results


FAILURES = []


def check(text, function, operands):
    operands = [t.clone() for t in operands]
    cotangent = torch.randn(operands[0].shape, dtype=operands[0].dtype)
    which, got = gradients(text, operands, cotangent)
    leaves = [t.requires_grad_(t.is_floating_point()) for t in operands]
    function(*leaves).backward(cotangent)
    for i, g in zip(which, got):
        want = torch.zeros_like(g) if leaves[i].grad is None else leaves[i].grad
        # torch's sixth in hardsigmoid is a float32.
        exact = g.dtype == torch.float64 and "hardsigmoid" not in text
        tolerance = 1e-9 if exact else 1e-7 if g.dtype == torch.float64 else 2e-5
        if not torch.allclose(g, want, rtol=tolerance, atol=tolerance, equal_nan=True):
            wrong = ~torch.isclose(g, want, rtol=tolerance, atol=tolerance, equal_nan=True)
            FAILURES.append(f"{text}, operand {i} at {leaves[i].detach()[wrong][:4].tolist()}: got "
                            f"{g[wrong][:4].tolist()}, torch {want[wrong][:4].tolist()}")


def held(x, low=None, high=None):
    """torch.clamp, passing its operand's gradient at a bound, as torch itself did before 2.15 (there it is 0 at a number,
    half at a tensor)."""
    y = x if low is None else torch.where(x < low, low, x)
    return y if high is None else torch.where(y > high, high, y)


def rooted(root):
    """A root that passes nothing at 0, as torch's norms do; its own slope is infinite there."""
    return lambda x: torch.where(x == 0, 0 * x, root(torch.where(x == 0, torch.ones_like(x), x)))


F = torch.nn.functional
UNARY = {
    "exp(x)": torch.exp, "log(x)": torch.log, "sqrt(x)": rooted(torch.sqrt), "rsqrt(x)": torch.rsqrt,
    "reciprocal(x)": torch.reciprocal, "sin(x)": torch.sin, "cos(x)": torch.cos, "erf(x)": torch.erf,
    "log1p(x)": torch.log1p, "expm1(x)": torch.expm1, "exp2(x)": torch.exp2, "log2(x)": torch.log2,
    "abs(x)": torch.abs, "-x": torch.neg, "sign(x) + x": lambda x: torch.sign(x) + x,
    "floor(x) + x": lambda x: torch.floor(x) + x, "ceil(x) * x": lambda x: torch.ceil(x) * x,
    "trunc(x) * x": lambda x: torch.trunc(x) * x, "round(x) * x": lambda x: torch.round(x) * x,
    "relu(x)": F.relu, "gelu(x)": F.gelu, "gelu(x, tanh)": lambda x: F.gelu(x, approximate="tanh"),
    "silu(x)": F.silu, "sigmoid(x)": torch.sigmoid, "tanh(x)": torch.tanh, "leaky_relu(x)": F.leaky_relu,
    "leaky_relu(x, 0.3)": lambda x: F.leaky_relu(x, 0.3), "elu(x)": F.elu, "elu(x, 1.7)": lambda x: F.elu(x, 1.7),
    "selu(x)": F.selu, "hardswish(x)": F.hardswish, "hardsigmoid(x)": F.hardsigmoid, "hardtanh(x)": F.hardtanh,
    "hardtanh(x, -0.5, 2)": lambda x: F.hardtanh(x, -0.5, 2), "softplus(x)": F.softplus,
    "softplus(x, 3, 5)": lambda x: F.softplus(x, 3, 5), "mish(x)": F.mish, "logsigmoid(x)": F.logsigmoid, "x ** 2": lambda x: x**2,
    "x ** 3": lambda x: x**3, "x ** -1": lambda x: x**-1, "x ** 0 + 0 * x": lambda x: x**0 + 0 * x, "x ** 2.5": lambda x: x**2.5,
    "clamp(x, -1, 1)": lambda x: held(x, -1, 1), "clamp(x, max = 0.5)": lambda x: held(x, high=0.5),
    "nan_to_num(x)": torch.nan_to_num, "x * x + x": lambda x: x * x + x, "x / 3": lambda x: x / 3,
    "3 / x": lambda x: 3 / x, "x % 0.83": lambda x: x % 0.83, "(x // 0.33) * x": lambda x: torch.div(x, 0.33, rounding_mode="floor") * x,
    "div(x, 0.7, rounding = trunc) * x": lambda x: torch.div(x, 0.7, rounding_mode="trunc") * x,
    "where(x > 0.3, x * 2, x * x)": lambda x: torch.where(x > 0.3, x * 2, x * x),
    "masked_fill(x * x, x < 0, 7)": lambda x: (x * x).masked_fill(x < 0, 7), "x ** 0.5": rooted(lambda x: x**0.5),
}
SEVERAL = {
    "(x, y) -> x + y * x": lambda x, y: x + y * x, "(x, y) -> add(x, y, 0.7)": lambda x, y: torch.add(x, y, alpha=0.7),
    "(x, y) -> sub(x, y, 2)": lambda x, y: torch.sub(x, y, alpha=2), "(x, y) -> x / y": lambda x, y: x / y,
    "(x, y) -> x % y": torch.remainder, "(x, y) -> maximum(x, y)": torch.maximum,
    "(x, y) -> minimum(x, y)": torch.minimum, "(x, y) -> abs(x) ** y": lambda x, y: torch.abs(x) ** y,
    "(x, y, z) -> lerp(x, y, z)": torch.lerp, "(x, y) -> lerp(x, y, 0.3)": lambda x, y: torch.lerp(x, y, 0.3),
    "(x, y, z) -> clamp(x, y, z)": held, "(x, y, z) -> fma(x, y, z)": lambda x, y, z: x * y + z,
    "(x, y, m) -> where(m, x * y, x / y)": lambda x, y, m: torch.where(m, x * y, x / y),
    "(x, y) -> silu(x) * y": lambda x, y: F.silu(x) * y,
}


def values(count, seed, dtype=torch.float64):
    generator = torch.Generator().manual_seed(seed)
    t = torch.randn(count, generator=generator, dtype=dtype) * 2
    t[: len(TIES)] = torch.tensor(TIES, dtype=dtype)
    return t


TIES = (0.0, 1.0, -1.0, 3.0, -3.0, 0.5, 2.0, -0.5, 6.0, 20.0, -20.0)
CHAIN = [name for name in UNARY if not any(f in name for f in ("log", "sqrt", "**", "/", "recip", "%", "exp", "x * x"))]


def chain(rng):
    """A random text of two operands, and what torch makes of it."""
    texts, functions = ["x", "y"], [lambda x, y: x, lambda x, y: y]
    for _ in range(rng.randrange(2, 7)):
        i, j = rng.randrange(len(texts)), rng.randrange(len(texts))
        f, g = functions[i], functions[j]
        kind = rng.randrange(5)
        if kind < 3:
            name = rng.choice(CHAIN)
            texts.append(apply(name, texts[i]))
            functions.append(lambda x, y, h=UNARY[name], f=f: h(f(x, y)))
        elif kind == 3:
            texts.append(f"({texts[i]} + {texts[j]} * 0.5)")
            functions.append(lambda x, y, f=f, g=g: f(x, y) + g(x, y) * 0.5)
        else:
            texts.append(f"(tanh({texts[i]}) * {texts[j]})")
            functions.append(lambda x, y, f=f, g=g: torch.tanh(f(x, y)) * g(x, y))
    return f"(x, y) -> {texts[-1]} + x * y", lambda x, y, f=functions[-1]: f(x, y) + x * y


def apply(name, argument):
    """A unary text with another argument for its x, which is a word of its own."""
    words, word = [], ""
    for c in name + " ":
        if c.isalnum() or c == "_":
            word += c
            continue
        words += [f"({argument})" if word == "x" else word, c]
        word = ""
    return "(" + "".join(words).strip() + ")"


def main():
    torch.manual_seed(1)
    checked = 0
    for body, function in UNARY.items():
        for dtype in (torch.float64, torch.float32):
            check(f"(x) -> {body}", function, [values(200, 3, dtype)])
            checked += 1
    for text, function in SEVERAL.items():
        operands = [values(200, seed) for seed in (4, 5, 6)][: text.count(",", 0, text.index(")")) + 1]
        if "m)" in text[: text.index(")") + 1]:
            operands[-1] = operands[-1] > 0
        check(text, function, operands)
        checked += 1
    rng = random.Random(7)
    for i in range(50):
        text, function = chain(rng)
        if len(text) < 4000:
            check(text, function, [values(50, 100 + i), values(50, 200 + i)])
            checked += 1
    for failure in FAILURES:
        print(failure)
    print(f"torch {torch.__version__}: {checked} gradients, {len(FAILURES)} differ")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
