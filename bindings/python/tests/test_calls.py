"""Operators and expressions as functions: arguments, results, names, documentation."""

import inspect
import math
import pathlib
import pickle
import re
import unittest

import ml_dtypes
import numpy as np

import libtileops as to

x = np.linspace(-3, 3, 16, dtype="f4").reshape(2, 8)


class Calls(unittest.TestCase):
    def test_operator(self):
        np.testing.assert_array_equal(to.relu(x), np.maximum(x, 0))
        np.testing.assert_array_equal(to.add(x, x, alpha=2.0), x + 2 * x)
        np.testing.assert_array_equal(to.add(x, b=x), x + x)
        self.assertGreater(abs(to.gelu(x, approximate="tanh") - to.gelu(x)).max(), 0)
        np.testing.assert_array_equal(to.gelu(x, approximate="tanh"), to.gelu(x, approximate=1))
        np.testing.assert_array_equal(to.gelu(x, approximate=None), to.gelu(x))

    def test_bounds_are_numbers_or_arrays(self):
        for bounds in ((-1.0, 2.0), (np.float32(-1), np.full(8, 2, "f4")), (None, 1.0), (-1.0,)):
            low, high = bounds if len(bounds) == 2 else (bounds[0], None)
            np.testing.assert_array_equal(to.clamp(x, *bounds), np.clip(x, low, high))
        np.testing.assert_array_equal(to.clamp(x, max=0), np.minimum(x, 0))
        i = np.arange(5, dtype="i4")
        self.assertEqual(to.clamp(i, 1, 3).dtype, np.int32)

    def test_numbers_are_operands(self):
        self.assertEqual(to.add(x, 2).dtype, np.float32)
        self.assertEqual(to.add(np.arange(3), 0.5).dtype, np.float64)
        self.assertEqual(to.add(np.arange(3, dtype="u1"), 2).dtype, np.uint8)
        self.assertEqual(int(to.add(1, 2)), 3)
        self.assertIs(to.logical_not(True).dtype, np.dtype(bool))

    def test_expression(self):
        f = to.expr("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r")
        silu = x / (1 + np.exp(-x))
        np.testing.assert_allclose(f(x, x, x), silu * x + x, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(f(x, u=x, r=1, scale=3), silu * x * 3 + 1, rtol=1e-5, atol=1e-6)
        self.assertIs(to.expr("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r"), f)
        self.assertEqual((f.operands, f.scalars, f.results), (("g", "u", "r"), {"scale": 1.0}, ("y0",)))
        self.assertEqual(to.Expr(f.text).text, f.text)
        self.assertEqual(pickle.loads(pickle.dumps(f)).text, f.text)

    def test_results_of_several(self):
        f = to.expr("(x[.., n]) -> { m = mean(x); x - m, m }")
        centred, mean = f(x)
        np.testing.assert_allclose(mean, x.mean(-1, keepdims=True), atol=1e-6)
        outs = (np.empty_like(x), np.empty((2, 1), "f4"))
        self.assertIs(f(x, out=outs), outs)
        np.testing.assert_array_equal(outs[0], centred)
        y, mask = to.dropout(x, p=0.5, results=2)
        self.assertIs(mask.dtype, np.dtype(bool))
        np.testing.assert_array_equal(y, to.dropout(x, p=0.5))

    def test_what_stores_parts_needs_a_memory(self):
        rows = to.expr("(v[t, n], slot[t, 1]) -> scatter(v, slot, axis = -2)")
        where = to.expr("(v, m) -> store_if(v, m)")
        slots, mask = np.array([[3], [-1]]), np.array([[True], [False]])
        for function, operands, want in ((rows, (x, slots), [[9] * 8, [9] * 8, [9] * 8, x[0]]), (where, (x, mask), [x[0], [9] * 8])):
            with self.assertRaisesRegex(TypeError, "expr: out: is missing"):
                function(*operands)
            with self.assertRaisesRegex(TypeError, "expr: out: is missing"):
                to.plan(function, *operands)
            out = np.full((len(want), 8), 9, "f4")
            np.testing.assert_array_equal(function(*operands, out=out), np.array(want, "f4"))

    def test_out_and_dtype(self):
        y = np.empty_like(x)
        self.assertIs(to.softmax(x, out=y), y)
        np.testing.assert_array_equal(y, to.softmax(x))
        for dtype in (np.float16, "float16", "f16", np.dtype("f2")):
            self.assertIs(to.gelu(x, dtype=dtype).dtype, np.dtype("f2"))
        self.assertEqual(to.cast(x, dtype=ml_dtypes.float8_e4m3fn).dtype, ml_dtypes.float8_e4m3fn)
        np.testing.assert_array_equal(to.gelu(x, out=np.empty(x.shape, "f8")), to.gelu(x, dtype="f64"))
        z = x.copy()
        np.testing.assert_array_equal(to.relu(z, out=z), np.maximum(x, 0))

    def test_shape_of_what_has_no_operand(self):
        bias = to.alibi(shape=(2, 3, 4))
        np.testing.assert_array_equal(bias[0], -(2.0 ** -4) * abs(np.arange(3)[:, None] - np.arange(4)))
        self.assertIs(to.alibi(shape=(2, 3, 4), dtype="f16").dtype, np.dtype("f2"))

    def test_gradient(self):
        gradient = to.softmax.gradient("x")
        grad = np.random.default_rng(0).standard_normal(x.shape, dtype="f4")
        y = to.softmax(x)
        np.testing.assert_allclose(gradient(x, grad), y * (grad - (grad * y).sum(-1, keepdims=True)), atol=1e-6)
        self.assertEqual(to.expr("(a, b) -> a * b").gradient().results, ("grad_a", "grad_b"))

    def test_every_name_is_a_function_with_documentation(self):
        operators, expressions = to.names()
        stubs = {stem: (pathlib.Path(to.__file__).parent / f"{stem}.pyi").read_text() for stem in ("_operators", "_expressions")}
        for stem, names in (("_operators", operators), ("_expressions", expressions)):
            self.assertEqual(re.findall(r"^def (\w+)\(", stubs[stem], re.M), list(names))
        for name in operators + expressions:
            function = getattr(to, name)
            self.assertEqual(function.__name__, name)
            self.assertGreater(len(function.__doc__), 20)
            self.assertIn(name, dir(to))
            self.assertTrue(callable(function) and function.signature.startswith(f"{name}("), name)
        self.assertIn("broadcast", to.add.__doc__)
        self.assertIn("x[.., n]", to.rms_norm.__doc__)

    def test_stubs_have_the_signatures(self):
        folder = pathlib.Path(to.__file__).parent
        for stem, names in zip(("_operators", "_expressions"), to.names()):
            space = {}
            exec((folder / f"{stem}.pyi").read_text(), space)
            for name in names:
                written = re.sub(r"=.*?(?=[,)])", "", getattr(to, name).signature.replace("*, ", ""))
                said = f"{name}({', '.join(inspect.signature(space[name]).parameters)})"
                self.assertEqual(sorted(re.findall(r"\w+", said)), sorted(re.findall(r"\w+", written)))

    def test_large_calls_let_other_threads_run(self):
        large = np.ones(1 << 20, "f4")
        self.assertTrue(math.isclose(float(to.global_norm(large).reshape(())), 1024, rel_tol=1e-6))


if __name__ == "__main__":
    unittest.main()
