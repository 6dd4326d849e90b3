"""Arrays of JAX, by DLPack: read in place, results handed over."""

import unittest

import jax
import jax.numpy as jnp
import numpy as np

import libtileops as to

x = jnp.linspace(-3, 3, 24).reshape(4, 6)


class Jax(unittest.TestCase):
    def test_calls(self):
        y = to.softmax(x)
        self.assertIsInstance(y, jax.Array)
        np.testing.assert_allclose(y, jax.nn.softmax(x), rtol=1e-6)
        centred, mean = to.expr("(x[.., n]) -> { m = mean(x); x - m, m }")(x)
        np.testing.assert_allclose(centred + mean, x, atol=1e-6)
        del y
        self.assertEqual(float(to.add(jnp.float32(1), 2.0)), 3.0)

    def test_element_types(self):
        for dtype in (jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.int32, jnp.uint8):
            a = jnp.arange(6).astype(dtype)
            y = to.neg(a) if dtype is not jnp.uint8 else to.add(a, a)
            self.assertEqual(y.dtype, dtype)
            np.testing.assert_array_equal(np.asarray(y, np.float32), np.asarray(-a if dtype is not jnp.uint8 else a + a, np.float32))

    def test_arrays_never_change(self):
        with self.assertRaisesRegex(to.InvalidArgument, "neg: out: is read-only"):
            to.neg(x, out=jnp.zeros_like(x))

    def test_traces_are_not_seen_through(self):
        with self.assertRaises(Exception):
            jax.jit(to.neg)(x)


if __name__ == "__main__":
    unittest.main()
