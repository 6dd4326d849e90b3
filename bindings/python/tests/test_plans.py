"""Plans, and the cache of those that calls make."""

import threading
import unittest

import numpy as np

import libtileops as to

x = np.linspace(-3, 3, 16, dtype="f4").reshape(2, 8)


class Plans(unittest.TestCase):
    def test_plan(self):
        plan = to.plan(to.Expr("(x[.., n]) -> softmax(x)"), x)
        self.assertIsInstance(plan, to.Plan)
        self.assertEqual(plan.layouts, (("float32", (2, 8)),))
        self.assertEqual(plan.bytes_moved, 2 * x.nbytes)
        self.assertTrue(plan.kernel and plan.strategy and plan.origin and "plan expr(x" in repr(plan))
        np.testing.assert_array_equal(plan(x), to.softmax(x))
        y = np.empty_like(x)
        self.assertIs(plan(x, out=y), y)

    def test_plan_takes_what_it_was_made_for(self):
        plan = to.plan(to.softmax, x)
        for wrong in (x.astype("f8"), x[:1], x.T):
            with self.assertRaisesRegex(to.InvalidArgument, "softmax: x: "):
                plan(wrong)
        with self.assertRaisesRegex(TypeError, "when the plan is made"):
            plan(x, dtype="f16")
        with self.assertRaisesRegex(to.InvalidArgument, "results"):
            to.plan(to.dropout, x)(x, results=2)

    def test_attributes_and_scalars(self):
        plan = to.plan(to.gelu, x, approximate="tanh", dtype="f64")
        np.testing.assert_array_equal(plan(x), to.gelu(x, approximate="tanh", dtype="f64"))
        with self.assertRaisesRegex(TypeError, "when the plan is made"):
            plan(x, approximate="none")
        plan = to.plan(to.softcap, x)
        np.testing.assert_array_equal(plan(x, cap=2.0), to.softcap(x, cap=2.0))

    def test_reproducible(self):
        np.testing.assert_allclose(to.plan(to.exp, x, reproducible=True)(x), np.exp(x), rtol=1e-6)

    def test_workspace(self):
        wide = np.ones((4, 1 << 17), "f4")
        plan = to.plan(to.expr("(x[.., m, n]) -> mean(exp(x - amax(x)), axis = all)"), wide)
        np.testing.assert_allclose(plan(wide).reshape(()), 1.0, rtol=1e-6)
        logits, labels = np.ones((64, 1000), "f4"), np.zeros((64, 1), "i8")
        plan = to.plan(to.cross_entropy_mean, logits, labels)
        self.assertGreater(plan.workspace_bytes, 0)
        np.testing.assert_allclose(plan(logits, labels).reshape(-1)[0], np.log(1000), rtol=1e-6)

    def test_more_shapes_than_are_kept(self):
        square = to.Expr("(x) -> x * x")
        for n in list(range(1, 300)) + [5, 280]:
            a = np.full(n, 3, "f4")
            self.assertEqual(square(a).tolist(), [9.0] * n)

    def test_threads(self):
        """One function in several threads, with shapes below and above what keeps the interpreter's lock."""
        f = to.Expr("(x[.., n]) -> { m = mean(x); x - m, sum(x * x, axis = all) }")
        failures = []

        def work(seed):
            for n in (8, 200_000, 8, 100_000):
                a = np.random.default_rng(seed).standard_normal((2, n), dtype="f4")
                centred, squares = f(a)
                if abs(centred + a.mean(-1, keepdims=True) - a).max() > 1e-5 or abs(squares.item() / (a * a).sum() - 1) > 1e-4:
                    failures.append((seed, n))
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
