"""Expressions as functions of TVM-FFI."""

import unittest

import numpy as np
import tvm_ffi

import libtileops as to

expr = to.tvm_ffi.expr


class TvmFfi(unittest.TestCase):
    def test_calls(self):
        g, u, y = (np.random.default_rng(k).standard_normal((4, 6), dtype=np.float32) for k in range(3))
        f = expr("(g, u; scale = 1.0, n = 2) -> silu(g) * u * scale + n")
        self.assertIsInstance(f, tvm_ffi.Function)
        self.assertIs(expr("(g, u; scale = 1.0, n = 2) -> silu(g) * u * scale + n"), f)
        tensors = [tvm_ffi.from_dlpack(a) for a in (y, g, u)]
        for scalars in ((), (0.5,), (3, 1), (0.5, 7)):
            f(*tensors, *scalars)
            np.testing.assert_array_equal(y, to.expr("(g, u; scale = 1.0, n = 2) -> silu(g) * u * scale + n")(g, u, **dict(zip(("scale", "n"), scalars))))

    def test_several_results_and_a_workspace(self):
        x = np.random.default_rng(0).standard_normal((1, 1 << 22), dtype=np.float32)
        text, y, m = "(x[.., n]) -> { m = amax(x); e = exp(x - m); e / sum(e), m }", np.empty_like(x), np.empty((1, 1), np.float32)
        self.assertGreater(to.plan(to.expr(text), x).workspace_bytes, 0)
        expr(text)(*map(tvm_ffi.from_dlpack, (y, m, x)))
        for got, want in zip((y, m), to.expr(text)(x)):
            np.testing.assert_array_equal(got, want)

    def test_errors(self):
        f, x = expr("(x) -> relu(x)"), tvm_ffi.from_dlpack(np.ones(3, np.float32))
        with self.assertRaisesRegex(TypeError, "1 results, 1 operands and up to 0 scalars .got 1 arguments"):
            f(x)
        with self.assertRaisesRegex(ValueError, "shape"):
            f(x, tvm_ffi.from_dlpack(np.ones(4, np.float32)))
        with self.assertRaisesRegex(TypeError, "dtype"):
            f(x, tvm_ffi.from_dlpack(np.ones(3, np.int32)))
        with self.assertRaisesRegex(ValueError, "there is no function 'gulp'"):
            expr("(x) -> gulp(x)")

    def test_library(self):
        """The file itself, as programs in other languages load it."""
        f = tvm_ffi.load_module(to.tvm_ffi.library())["expr"]("(x) -> x + 1")
        x, y = np.zeros(3, np.float32), np.zeros(3, np.float32)
        f(tvm_ffi.from_dlpack(y), tvm_ffi.from_dlpack(x))
        self.assertEqual(y.tolist(), [1, 1, 1])


if __name__ == "__main__":
    unittest.main()
