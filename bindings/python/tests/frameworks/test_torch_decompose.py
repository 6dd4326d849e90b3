"""What Inductor takes in the place of operators: values as the library's, for every text that has a name and on torch's samples, what runs in a
compiled graph, names."""

import collections
import pathlib
import re
import sys
import unittest
from unittest import mock

import torch
from torch.utils._python_dispatch import TorchDispatchMode

import libtileops as to
from libtileops.torch import decompose, op

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tools"))
import functions  # noqa: E402
import named_shapes  # noqa: E402
from test_torch_ops import op_db, samples  # noqa: E402

NORM = "(x[.., n], w[n], b[n]; eps = 1e-5) -> { d = x - mean(x); d * rsqrt(mean(d * d) + eps) * w + b }"
# Float64 shows whether the same is computed; each value inside may differ by some of its ulp.
TOLERANCE = {torch.float64: 1e-12, torch.float32: 1e-5, torch.float16: 2**-9, torch.bfloat16: 2**-6}


def agree(got, want):
    for a, b in zip(*(r if isinstance(r, (tuple, list)) else (r,) for r in (got, want)), strict=True):
        if b.dtype.is_floating_point and b.dtype.itemsize == 1:
            a, b, bound = a.float(), b.float(), 2**-3  # a step, where a value lies between two
        else:
            bound = TOLERANCE.get(b.dtype, 0)
        torch.testing.assert_close(a, b, rtol=bound, atol=bound, equal_nan=True)


class Compared(TorchDispatchMode):
    """Each operator of the library that is called is compared with its decomposition."""

    def __init__(self):
        super().__init__()
        self.counts = collections.Counter()

    def __torch_dispatch__(self, function, types, arguments=(), named=None):
        results = function(*arguments, **(named or {}))
        if function in decompose.decompositions:
            instead = decompose.decompositions[function](*arguments, **(named or {}))
            self.counts["kept" if instead is NotImplemented else "taken"] += 1
            if instead is not NotImplemented:
                agree(instead, results)
        return results


class Values(unittest.TestCase):
    def operands(self, name, text, labels):
        given = named_shapes.signature(text)
        letters = sorted({c for _, dims in given for d in dims for c in re.findall(r"(?<!\.)\b[a-z]\w*", d)})
        extents = dict(zip(letters, (32, 48, 40, 64, 56, 72)))
        operands = []
        for operand, dims in given:
            shape = tuple(named_shapes.value(d, extents, {"..": 1, "..b": 6, "..1": 1}) for d in dims if d)
            label = labels.get(name, {}).get(operand, "f64")
            if label in ("e8m0fnu", "e2m1fn"):
                return None
            if label in ("e4m3fn", "e5m2"):
                operands.append(torch.randn(shape).to(getattr(torch, f"float8_{label}")))
            elif label == "bool":
                operands.append(torch.rand(shape) > 0.5)
            elif label[0] in "iu":
                operands.append(torch.randint(0, 5, shape).to(getattr(torch, ("int" if label[0] == "i" else "uint") + label[1:])))
            else:
                operands.append(torch.rand(shape, dtype=torch.float64) * 2 - 0.9)
        return operands

    def test_named_texts(self):
        torch.manual_seed(0)
        labels, taken = named_shapes.dtypes(), []
        for name, text, _ in (row for file in functions.named_expressions().values() for row in file):
            expr = getattr(to, name)
            operands = self.operands(name, text, labels) if decompose.is_sayable(expr) else None
            if operands is None:
                continue
            got = decompose.decomposition(expr, ("cpu",))(*operands)
            if got is NotImplemented:  # float8 and fma are not of float64
                operands = [x.float() if x.dtype == torch.float64 else x for x in operands]
                got = decompose.decomposition(expr, ("cpu",))(*operands)
            if got is not NotImplemented:
                with self.subTest(name):
                    agree(got, expr(*operands))
                taken.append(name)
        self.assertGreater(len(taken), 160)

    @unittest.skipUnless(op_db, "torch's samples are not there (pip install expecttest)")
    def test_samples(self):
        counts = collections.Counter()
        for dtype in (torch.float64, torch.float32, torch.bfloat16, torch.int64, torch.uint8, torch.bool):
            for name, function, _, sample, named in samples(dtype, grad=dtype == torch.float64):
                with self.subTest(name, dtype=dtype, input=tuple(sample.input.shape), args=sample.args, named=named), Compared() as compared:
                    try:
                        results = function(sample.input, *sample.args, **named)
                    except (TypeError, ValueError, RuntimeError, IndexError):  # refused, as test_torch_ops has it
                        continue
                    results = [r for r in (results if isinstance(results, tuple) else (results,)) if r.requires_grad]
                    if results:  # operators of gradients as well
                        sum(r.sum() for r in results).backward()
                counts.update(compared.counts)
        self.assertGreater(counts["taken"], 3000)
        self.assertLess(counts["kept"], counts["taken"] // 20)

    def test_rules(self):
        """What torch would have otherwise: numbers beside integers, bool, tensors without dimensions, comparisons, NaN."""
        i, u, t = torch.tensor([-7, 0, 9], dtype=torch.int32), torch.tensor([0, 200, 255], dtype=torch.uint8), torch.tensor([True, False, True])
        h, z = torch.tensor([0.1, 0.3, float("nan")], dtype=torch.bfloat16), torch.tensor(0.1, dtype=torch.float64)
        for text, *operands in (("(x) -> x + 1.5", i), ("(x) -> 1 / x", i), ("(x) -> x / 2", u), ("(x) -> x + 1", u), 
                                ("(x) -> x * 2", t), ("(x, y) -> x - y", i, t), ("(x) -> x == 0.1", h), ("(x, y) -> x == y", h, z),
                                ("(x, y) -> x * y", h, z), ("(x) -> maximum(x, 0.2)", h), ("(x) -> clamp(x, 0, 200)", i), ("(x) -> sum(x)", u),
                                ("(x) -> mean(x)", u), ("(x) -> cast(x * 100.0, i8)", i), ("(x) -> cast(x, bool)", h), ("(x) -> any(x)", h),
                                ("(x) -> x ** 2", i), ("(x) -> 2.0 ** x", i), ("(x) -> x // 2", i), ("(x) -> x % 4", i), ("(x) -> -x ** 2.0", u),
                                ("(x) -> where(x > 0, 1.0, 0)", i), ("(x, y) -> where(x, y, 0.5)", t, h), ("(x) -> cumsum(x, reverse = true)", i),
                                ("(x) -> index(x, -1) + 0 * x", u), ("(x; s = 2.0) -> x * s + exp(s)", h), ("(x) -> sum(x)", z),
                                ("(x) -> cast(x, f16) * 3", h), ("(x) -> { v = 1.0 * x; cast(v / 3, v) * 7 }", h),
                                ("(x, y) -> { w = -x; cast(y / 3, w) * 7 }", h, h.float()),
                                ("(x) -> { x, x * 1, abs(x) }", h), ("(x) -> argmax(x)", h)):
            expr = to.expr(text)
            got = decompose.decomposition(expr, ("cpu",))(*operands)
            with self.subTest(text, dtypes=[x.dtype for x in operands]):
                self.assertIsNot(got, NotImplemented)
                agree(got, expr(*operands))

    def test_integers(self):
        """What is beyond integers, and at their ends."""
        ends = [0.0, -0.9, 1.5, float("nan"), float("inf"), -float("inf"), *(s * 2.0**k * f for s in (1, -1) for k in (7, 8, 15, 16, 31, 32, 63, 64)
                                                                             for f in (1, 1 - 2.0**-24, 1 + 2.0**-23))]
        for dtype in (torch.float32, torch.float64, torch.float16):
            x = torch.tensor(ends, dtype=torch.float64).to(dtype)
            for label in ("i8", "u8", "i16", "i32", "i64"):
                expr = to.expr(f"(x) -> cast(x, {label})")
                with self.subTest(label, dtype=dtype):
                    got = decompose.decomposition(expr, ("cpu",))(x)
                    self.assertTrue(torch.equal(got, expr(x)))
                    self.assertIs(got.dtype, expr(x).dtype)

    def test_rounded_once(self):
        """The rest of a product, which a second rounding would lose."""
        a, b = torch.rand(2, 4096, generator=torch.Generator().manual_seed(0))
        expr = to.expr("(a, b) -> fma(a, b, -(a * b))")
        got = decompose.decomposition(expr, ("cpu",))(a, b)
        self.assertTrue(torch.equal(got, expr(a, b)))
        self.assertGreater(got.abs().max(), 0)
        self.assertIs(decompose.decomposition(expr, ("cpu",))(a.double(), b), NotImplemented)

    def test_groups(self):
        torch.manual_seed(0)
        for text in (*(f"(x) -> {f}(x, group = 4)" for f in ("sum", "mean", "amax", "amin", "prod", "any", "all", "argmax", "argmin", "var")),
                     *(f"(x) -> {f}(x, group = 4)" for f in ("cumsum", "cumprod", "cummax", "cummin")), "(x) -> cumsum(x, group = 4, reverse = true)",
                     "(x) -> cumsum(x, exclusive = true)", "(x) -> cumprod(x, group = 4, exclusive = true, reverse = true)",
                     "(x) -> amax(x, axis = -2, group = 2)", "(x) -> cumsum(x, axis = -2, group = 2)", "(x) -> sum(x, group = (2, 4))",
                     "(x) -> x / spread(amax(abs(x), group = 4), x, group = 4)", "(x) -> x - spread(mean(x, group = (2, 4)), x, group = (2, 4))",
                     "(x) -> amax(x, axis = -3, group = 128)"):
            expr = to.expr(text)
            for shape in ((3, 6, 8), (2, 4, 12), (2, 2, 4), *(() if "(2, 4)" in text else ((3, 7, 10), (2, 1, 3), (1, 3, 1)))):
                for dtype in (torch.float64, torch.bfloat16, torch.int32):
                    x = (torch.randn(shape) * 4).to(dtype)
                    with self.subTest(text, shape=shape, dtype=dtype):
                        got = decompose.decomposition(expr, ("cpu",))(x)
                        self.assertIsNot(got, NotImplemented)
                        agree(got, expr(x))

    def test_eight_bits(self):
        """All values of 16 bits and what is near to a half of a step of the 8 bits, to float8 and from there."""
        h = torch.arange(2**16, dtype=torch.int32).to(torch.uint16).view(torch.bfloat16)
        x = torch.cat([h.float(), (h.float().view(torch.int32) + 1).view(torch.float32), (h.float().view(torch.int32) - 1).view(torch.float32)])
        for dtype in ("e4m3fn", "e5m2"):
            for text in (f"(x) -> cast(x, {dtype})", f"(x) -> cast(x, {dtype}) * 2", f"(x) -> cast(x, {dtype}, fp8_overflow = saturate)",
                         f"(x) -> cast(x, {dtype}, fp8_overflow = nonsaturating)"):
                expr = to.expr(text)
                with self.subTest(text):
                    for given in (x, h):
                        got, want = decompose.decomposition(expr, ("cpu",))(given), expr(given)
                        self.assertEqual(got.dtype, want.dtype)
                        self.assertTrue(torch.equal(got.float().nan_to_num(1e9), want.float().nan_to_num(1e9)))
            codes = torch.arange(256, dtype=torch.int32).to(torch.uint8).view(torch.float8_e4m3fn if dtype == "e4m3fn" else torch.float8_e5m2)
            expr = to.expr("(x) -> x * 3 + 1")
            agree(decompose.decomposition(expr, ("cpu",))(codes).float(), expr(codes).float())
        for text, x in (("(x) -> cast(x, e4m3fn)", torch.ones(3, dtype=torch.float64)), ("(x) -> x == 0.1", codes)):
            self.assertIs(decompose.decomposition(to.expr(text), ("cpu",))(x), NotImplemented)


class Compiled(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def ran(self, function, *operands):
        """The result of a compiled function, and which operators of the library ran in it."""
        with torch._inductor.config.patch(force_disable_caches=True):
            compiled = torch.compile(function, fullgraph=True)
            compiled(*operands)
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
                result = compiled(*operands)
        return result, sorted(event.key for event in profile.key_averages() if "libtileops" in event.key)

    def test_what_runs(self):
        x, w, b = torch.randn(16, 64), torch.rand(64), torch.randn(64)
        for named, count in (({}, 0), ({"decompose": True}, 0), ({"decompose": False}, 1), ({"name": "whole_norm"}, 1),
                             ({"name": "sayable_norm", "decompose": True}, 0)):
            norm = op(NORM, **named)

            def f(x, w, b, norm=norm):
                return torch.relu(norm(x * 2 + 1, w, b)) * 3
            got, ran = self.ran(f, x, w, b)
            with self.subTest(**named):
                torch.testing.assert_close(got, f(x, w, b))
                self.assertEqual(len(ran), count, ran)

    def test_gradients(self):
        x, w, b = (t.requires_grad_() for t in (torch.randn(16, 64), torch.rand(64), torch.randn(64)))
        norm = op(NORM)

        def f(x, w, b):
            return torch.autograd.grad((torch.relu(norm(x * 2 + 1, w, b)) * 3).sum(), (x, w, b))
        with torch._inductor.config.patch(force_disable_caches=True):
            compiled = torch.compile(lambda x, w, b: torch.relu(norm(x * 2 + 1, w, b)) * 3, fullgraph=True)
            torch.autograd.grad(compiled(x, w, b).sum(), (x, w, b))
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
                got = torch.autograd.grad(compiled(x, w, b).sum(), (x, w, b))
        self.assertEqual([event.key for event in profile.key_averages() if "libtileops" in event.key], [])
        torch.testing.assert_close(got, f(x, w, b))

    def test_any_batch(self):
        softmax = op(to.softmax)
        with torch._inductor.config.patch(force_disable_caches=True), torch._dynamo.config.patch(error_on_recompile=True):
            compiled = torch.compile(lambda x: softmax(x + 1) * 2, fullgraph=True, dynamic=True)
            for batch in (3, 5, 8):
                x = torch.randn(batch, 16)
                torch.testing.assert_close(compiled(x), (x + 1).softmax(-1) * 2)

    def test_blocks(self):
        """A block-scaled quantisation beside its neighbours, and a rotary embedding, are Inductor's wholly."""
        x, cos, sin = torch.randn(16, 256), torch.rand(16, 32), torch.rand(16, 32)
        quantise = op("(x) -> { s = cast(amax(abs(x), group = 128) / 448, f32);  cast(x / spread(s, x, group = 128), e4m3fn), s }", grad=())
        (q, s), ran = self.ran(lambda x: quantise(torch.relu(x) + 1), x)
        self.assertEqual(ran, [])
        want = quantise(torch.relu(x) + 1)
        self.assertTrue(torch.equal(q.float(), want[0].float()))
        torch.testing.assert_close(s, want[1])
        rotate = op("(x, cos, sin) -> { a = chunk(x, 0, 2); b = chunk(x, 1, 2); concat(fma(a, cos, -(b * sin)), fma(b, cos, a * sin)) }")
        got, ran = self.ran(lambda x: rotate(x * 2, cos, sin) + 1, x[:, :64])
        self.assertEqual(ran, [])
        torch.testing.assert_close(got, rotate(x[:, :64] * 2, cos, sin) + 1)

    def test_what_cannot_be_said_stays(self):
        drop = op("(x; p = 0.5) -> where(dropout_mask(x, 0.5, 3), x * 2, 0)", grad=())
        got, ran = self.ran(lambda x: drop(x + 1) * 2, torch.zeros(64))
        self.assertEqual(len(ran), 1)
        torch.testing.assert_close(got, drop(torch.ones(64)) * 2)

    def test_what_declines_stays(self):
        """Operators that are taken apart, but not of these operands: of both in one graph, and each with others before and behind."""
        casts = [op(f"(x) -> cast(x * {k}, e4m3fn)", grad=()) for k in (2, 3)]

        def f(x):
            return [cast(x + 1).float() * 2 for cast in casts]
        for dtype, count in ((torch.float64, 2), (torch.float32, 0), (torch.float64, 2), (torch.bfloat16, 0)):
            x = torch.arange(8).to(dtype)
            got, ran = self.ran(f, x)
            with self.subTest(dtype):
                self.assertEqual(len(ran), count)
                torch.testing.assert_close(got, f(x))


class Names(unittest.TestCase):
    def test_version(self):
        """Graphs that torch keeps on disk are found by the names of operators."""
        first = op("(x) -> x * 3 + 1").overload
        with mock.patch("libtileops.torch.operators.VERSION", decompose.VERSION + 1), mock.patch("libtileops.torch.operators._operators", {}):
            second = op("(x) -> x * 3 + 1").overload
        whole = op("(x) -> x * 3 + 1", decompose=False).overload
        self.assertEqual(len({str(first), str(second), str(whole)}), 3)
        named = op("(x) -> x * 3 + 1", name="threefold", decompose=True).overload
        self.assertRegex(str(named), rf"^libtileops\.threefold\.v{decompose.VERSION}_")


if __name__ == "__main__":
    unittest.main()
