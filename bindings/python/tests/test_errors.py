"""Errors are exceptions that name the argument."""

import unittest

import numpy as np

import libtileops as to

x = np.ones((2, 8), "f4")


class Errors(unittest.TestCase):
    def check(self, kind, message, call, *arguments, **named):
        with self.assertRaises(kind) as caught:
            call(*arguments, **named)
        self.assertIn(message, str(caught.exception))
        return caught.exception

    def test_classes(self):
        for kind, builtin in ((to.InvalidArgument, ValueError), (to.Unsupported, TypeError), (to.DeviceError, RuntimeError),
                              (to.OutOfMemory, MemoryError)):
            self.assertTrue(issubclass(kind, to.Error) and issubclass(kind, builtin))

    def test_shapes_and_dtypes(self):
        error = self.check(to.InvalidArgument, "add: b: shape (5,)", to.add, x, np.ones(5, "f4"))
        self.assertEqual(error.status, "TILEOPS_STATUS_INVALID_ARGUMENT")
        error = self.check(to.Unsupported, "gelu: x: gelu does not take this dtype", to.gelu, np.ones(3, "i4"))
        self.assertEqual(error.status, "TILEOPS_STATUS_UNSUPPORTED")
        self.check(to.InvalidArgument, "weight[n], where n is 8 of x", to.rms_norm, x, np.ones(7, "f4"))
        self.check(to.InvalidArgument, "gelu: result y: shape is wrong (got (8, 2), need (2, 8))", to.gelu, x, out=np.empty((8, 2), "f4"))

    def test_arguments(self):
        self.check(TypeError, "add: b: is missing", to.add, x)
        self.check(TypeError, "relu: takes 1 operands (got 2)", to.relu, x, x)
        self.check(TypeError, "add: a: is given twice", to.add, x, x, a=x)
        self.check(TypeError, "there is no argument 'scale'", to.relu, x, scale=2)
        self.check(TypeError, "there is no argument 'shape'", to.relu, x, shape=(2,))
        self.check(TypeError, "relu: x: is no array or number (got dict)", to.relu, {})
        self.check(TypeError, "relu: out: is no array (got float)", to.relu, x, out=1.0)
        self.check(TypeError, "alpha: is a number", to.add, x, x, alpha="two")
        self.check(to.InvalidArgument, "'alpha' must be an integer", to.add, np.arange(3), np.arange(3), alpha=2.5)
        self.check(to.InvalidArgument, "approximate: is one of none|tanh (got 'erf')", to.gelu, x, approximate="erf")
        self.check(TypeError, "dtype: there is no element type", to.relu, x, dtype="complex64")
        self.check(TypeError, "that of out is taken", to.relu, x, dtype="f16", out=x)
        self.check(to.InvalidArgument, "results: there are 1 to 2", to.dropout, x, results=3)
        self.check(TypeError, "out: takes 1 arrays (got 3)", to.dropout, x, out=(x, x, x))
        self.check(to.InvalidArgument, "alibi: result y: is absent", to.alibi)

    def test_scalars(self):
        f = to.expr("(x; eps = 1e-6, n = 3) -> x * eps + n")
        self.check(to.InvalidArgument, "'n'", f, x, n=2.5)
        self.check(to.InvalidArgument, "'eps' takes no bool", f, x, eps=True)
        self.check(TypeError, "expr: eps: is a number", f, x, eps="1")
        np.testing.assert_array_equal(f(x, n=np.int64(2), eps=np.float32(0.5)), 2.5 * x)
        np.testing.assert_array_equal(f(x, n=3.0), f(x))

    def test_texts(self):
        with self.assertRaises(SyntaxError) as caught:
            to.expr("(x, w) ->\n  x * gulp(w)")
        error = caught.exception
        self.assertEqual((error.msg, error.lineno, error.offset, error.text), ("there is no function 'gulp'", 2, 7, "  x * gulp(w)"))
        for text in ("", "(", "(x) -> x +", "(x) -> \u00e9"):
            self.assertRaises((SyntaxError, to.Error), to.expr, text)
        self.assertRaises(TypeError, to.Expr, 3)
        self.check(to.InvalidArgument, "there is no operand 'z'", to.expr("(x) -> x").gradient, "z")

    def test_names(self):
        self.check(AttributeError, "has no attribute 'gulp'", getattr, to, "gulp")
        self.assertRaises(TypeError, to.Operator)
        self.assertRaises(TypeError, to.Plan)

    def test_an_error_leaves_nothing_behind(self):
        y = np.zeros_like(x)
        for _ in range(3):
            self.check(to.Error, "add: b", to.add, x, np.ones(5, "f4"), out=y)
            self.assertFalse(y.any())
            np.testing.assert_array_equal(to.relu(x), x)


if __name__ == "__main__":
    unittest.main()
