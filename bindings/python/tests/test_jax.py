"""Arrays of JAX, by DLPack, and expressions within its programs: jit, grad, vmap."""

import unittest

import jax
import jax.numpy as jnp
import numpy as np

import libtileops as to
from libtileops.jax import op

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


NORM = "(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w"
w = jnp.linspace(0.5, 2, 6)


def reference(x, w, eps=1e-6):
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + eps) * w


class Programs(unittest.TestCase):
    def test_jit(self):
        norm = op(NORM)
        np.testing.assert_allclose(norm(x, w), reference(x, w), rtol=1e-5)
        f = jax.jit(lambda x, w: jnp.tanh(norm(x * 2, w, eps=0.5)))
        np.testing.assert_allclose(f(x, w), jnp.tanh(reference(x * 2, w, 0.5)), rtol=1e-5)
        np.testing.assert_allclose(f(x[:2], w), jnp.tanh(reference(x[:2] * 2, w, 0.5)), rtol=1e-5)
        self.assertEqual(f.lower(x, w).as_text().count("libtileops_expr"), 1)
        np.testing.assert_array_equal(jax.jit(norm)(x, w), to.expr(NORM)(x, w))

    def test_element_types(self):
        for dtype in (jnp.bfloat16, jnp.float16, jnp.float8_e4m3fn, jnp.float8_e5m2, jnp.int8, jnp.int32, jnp.uint8, jnp.uint32):
            a = jnp.arange(6).astype(dtype)
            y = jax.jit(op("(a) -> a + a"))(a)
            self.assertEqual(y.dtype, dtype)
            np.testing.assert_array_equal(np.asarray(y, np.float32), np.asarray(to.add(a, a), np.float32))
        self.assertEqual(jax.jit(op("(a) -> a < 3"))(jnp.arange(6)).tolist(), [True] * 3 + [False] * 3)
        self.assertEqual(jax.jit(op("(a) -> cast(a, e8m0fnu)"))(x).dtype, jnp.float8_e8m0fnu)

    def test_several_results_and_workspace(self):
        q, s = jax.jit(op("(x[.., n]) -> { s = amax(abs(x)) / 127; cast(round(x / s), i8), s }"))(x)
        self.assertEqual((q.dtype, s.shape), (jnp.int8, (4, 1)))
        logits, labels = jnp.ones((64, 1000)), jnp.zeros((64, 1), jnp.int32)
        np.testing.assert_allclose(jax.jit(op(to.cross_entropy_mean))(logits, labels).reshape(()), np.log(1000), rtol=1e-6)

    def test_gradients(self):
        norm = op(NORM)
        for f, g, operands in ((norm, reference, (x, w)), (op(to.softmax), jax.nn.softmax, (x,)), (op("(x, y) -> x * y"), jnp.multiply, (x[:, :1], w))):
            got, want = (jax.jit(jax.grad(lambda *a, f=f: (f(*a) ** 2).sum(), argnums=tuple(range(len(operands)))))(*operands) for f in (f, g))
            for a, b in zip(got, want):
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
        hessians = [jax.jacrev(jax.grad(lambda w, f=f: (f(x, w) ** 2).sum()))(w) for f in (norm, reference)]
        np.testing.assert_allclose(*hessians, rtol=1e-4, atol=1e-4)

    def test_gradients_of_what_has_integers(self):
        labels = jnp.array([[0], [3], [5], [1]])
        got = jax.grad(lambda x: op(to.cross_entropy)(x, labels).sum())(x)
        want = jax.nn.softmax(x) - jax.nn.one_hot(labels[:, 0], 6)
        np.testing.assert_allclose(got, want, atol=1e-6)
        got = jax.grad(lambda x: op("(x[.., n]) -> { s = amax(abs(x)) / 127; cast(round(x / s), i8), s }")(x)[1].sum())(x)
        np.testing.assert_allclose(got, jax.grad(lambda x: (abs(x).max(-1) / 127).sum())(x), atol=1e-7)

    def test_vmap(self):
        norm = op(NORM)
        batch = jnp.stack([w, 2 * w, 3 * w, 4 * w])
        np.testing.assert_allclose(jax.vmap(norm)(jnp.stack([x] * 4), batch), jax.vmap(reference)(jnp.stack([x] * 4), batch), rtol=1e-5)
        np.testing.assert_allclose(jax.vmap(norm, in_axes=(1, None))(x[:, None], w)[0], reference(x, w), rtol=1e-5)

    def test_errors(self):
        with self.assertRaisesRegex(to.InvalidArgument, "where n is 6 of x"):
            jax.jit(op(NORM))(x, w[:5])
        with self.assertRaisesRegex(TypeError, "there is no scalar 'epsilon'"):
            op(NORM)(x, w, epsilon=1)
        with self.assertRaisesRegex(TypeError, "takes 2 operands"):
            op(NORM)(x)
        with self.assertRaisesRegex(ValueError, "n: is an integer"):
            op("(x; n = 1) -> x + n")(x, n=1.5)
        with self.assertRaises(jax.errors.ConcretizationTypeError):
            jax.jit(lambda eps: op(NORM)(x, w, eps=eps))(1.0)
        with self.assertRaisesRegex(to.InvalidArgument, "stores parts"):
            op("(v, m) -> store_if(v, m)")
        with self.assertRaises(TypeError):
            op(to.gelu)

    def test_scalars(self):
        f = op("(x; n = 1, s = 0.5) -> x * s + n")
        np.testing.assert_array_equal(f(x, n=3, s=2), x * 2 + 3)
        big = op("(x; seed = 0, p = 0.5) -> dropout_mask(x, p, seed)")
        np.testing.assert_array_equal(big(x, seed=2**62 + 1), to.expr(big.expr.text)(x, seed=2**62 + 1))


if __name__ == "__main__":
    unittest.main()
