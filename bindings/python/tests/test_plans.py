"""Plans, and the cache of those that calls make."""

import os
import subprocess
import sys
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


def inputs(batch):
    rng = np.random.default_rng(batch)
    return rng.standard_normal((batch, 24), dtype="f4"), rng.standard_normal((24,), dtype="f4")


class AnyBatch(unittest.TestCase):
    """From the third batch on one plan serves all, with the bits of a plan for each."""

    BATCHES = (5, 6, 131, 3, 1, 0, 64, 2, 1, 4097, 7)
    TEXTS = ("(x, w) -> rms_norm(x, w)",
             "(x, w) -> { e = exp(x - amax(x)); e / sum(e), cast(x * w, bf16) }",
             "(x, w) -> x / (1 + sum(abs(x))) / (1 + sum(abs(x), axis = -2)) * w",
             "(x, w) -> sum(x * w, axis = -2), amax(x)",
             "(x, w) -> sum(x * w, axis = all)")

    def check(self, f, batch, out):
        arguments = inputs(batch)
        plan = to.plan(f, *arguments)
        want = plan(*arguments)
        if out:
            given = tuple(np.full_like(y, 7) for y in want) if isinstance(want, tuple) else np.full_like(want, 7)
            got = f(*arguments, out=given)
            self.assertIs(got, given)
        else:
            got = f(*arguments)
        for one, other in zip(*((y if isinstance(y, tuple) else (y,)) for y in (got, want))):
            self.assertEqual((one.dtype, one.shape), (other.dtype, other.shape))
            self.assertEqual(one.tobytes(), other.tobytes(), (f, batch))

    def test_bits(self):
        for text in self.TEXTS:
            for out in (False, True):
                f = to.Expr(text)
                for batch in self.BATCHES:
                    self.check(f, batch, out)

    def test_what_has_no_result_of_no_elements(self):
        f = to.Expr("(x) -> argmax(x, axis = all)")
        for n in (2, 3, 4, 5):
            f(np.ones((n, 8), "f4"))
        with self.assertRaisesRegex(to.InvalidArgument, "no elements"):
            f(np.ones((0, 8), "f4"))

    def test_operators_strides_and_more_dimensions(self):
        wide = np.random.default_rng(0).standard_normal((300, 3, 40), dtype="f4")
        f = to.Expr("(x, y) -> x * 2 + y")
        for n in (5, 6, 7, 300, 1, 0, 8):
            x, y = wide[:n, :, :8], wide[:n, :1, 8:16]
            np.testing.assert_array_equal(f(x, y), x * 2 + y)
            np.testing.assert_array_equal(to.add(x, y), x + y)
            np.testing.assert_array_equal(to.add(x.T, y.T), (x + y).T)

    def test_tables_beside_the_batch(self):
        """What does not change is no batch; where it does after all, or comes to be equal, results are right as well."""
        f = to.Expr("(table, id) -> gather(table, id, axis = -2) * 2")
        rng = np.random.default_rng(0)
        for rows, n in ((9, 4), (9, 5), (9, 6), (9, 9), (9, 300), (7, 6), (6, 6), (9, 2)):
            table, ids = rng.standard_normal((rows, 8), dtype="f4"), rng.integers(0, rows, (n, 8))
            np.testing.assert_array_equal(f(table, ids), np.take_along_axis(table, ids, 0) * 2)

    def test_errors_are_those_of_a_plan_for_it(self):
        f = to.Expr("(x, r) -> rms_norm(x + r, 1.0)")

        def message(x, r, **more):
            with self.assertRaises(to.InvalidArgument) as caught:
                f(x, r, **more)
            return str(caught.exception)

        a = {n: np.ones((n, 8), "f4") for n in (2, 3, 4, 5, 6)}
        before = message(a[4], a[3])
        for n in a:
            f(a[n], a[n])
            self.assertEqual(message(a[4], a[3]), before)
        self.assertEqual(message(a[4], a[3]), before)
        self.assertIn("shape (3, 8) does not broadcast", before)
        self.assertIn("shape", message(a[4], a[4], out=np.ones((3, 8), "f4")))

    def test_plans_serve_what_they_were_made_for(self):
        f = to.Expr("(x[.., n]) -> softmax(x)")
        for n in (2, 3, 4, 5, 6):
            f(np.ones((n, 8), "f4"))
        plan = to.plan(f, np.ones((6, 8), "f4"))
        self.assertEqual((plan.layouts, plan.bytes_moved), ((("float32", (6, 8)),), 6 * 8 * 8))
        with self.assertRaisesRegex(to.InvalidArgument, "x: "):
            plan(np.ones((5, 8), "f4"), out=np.ones((5, 8), "f4"))

    def test_threads(self):
        f, failures = to.Expr(self.TEXTS[2]), []

        def work(seed):
            for i in range(60):
                try:
                    self.check(f, (seed * 53 + i * 17) % 190, i % 2 == 0)
                except Exception as failed:
                    failures.append(failed)
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_several_extents(self):
        """Shapes that differ in all extents: some plans, then one; 1 beside others is repeated, and equal lengths are no promise."""
        f = to.Expr("(x, y) -> { e = exp(x - amax(x)) * y; e, sum(e, axis = -3) }")
        rng = np.random.default_rng(0)
        shapes = [(n * 5 % 7, 1 + n * 3 % 5, 1 + n * 11 % 17) for n in range(40)]
        for a, b, c in shapes + [(2, 3, 3), (3, 3, 3), (0, 1, 1), (1, 1, 1)]:
            for other in ((a, b, c), (b, 1), (1, c), (1,), ()):
                x, y = rng.standard_normal((a, b, c), dtype="f4"), rng.standard_normal(other, dtype="f4")
                for one, two in zip(f(x, y), to.plan(f, x, y)(x, y)):
                    self.assertEqual((one.shape, one.tobytes()), (two.shape, two.tobytes()), (x.shape, other))

    def test_numbers_of_plans(self):
        """The library says what it plans."""
        for what, most in (
                ("for n in (5, 6, 7, 1, 8, 900, 0, 1, 33): to.softmax(np.ones((n, 8), 'f4'))", 3),
                ("for n in range(100): to.add(np.ones(n, 'f4'), np.ones(n, 'f4'))", 3),
                ("for n in range(100): to.mul(np.ones((n * 7 % 31, n * 3 % 11, 8), 'f4'), 2.0)", 9),
                ("for n in range(100): to.softmax(np.ones((n * 7 % 31, 1 + n * 3 % 11), 'f4'), out=np.ones((n * 7 % 31, 1 + n * 3 % 11), 'f4'))", 9),
                # Calls that are refused change nothing.
                ("""for n in range(5, 100):
                        if n == 7:
                            try: to.add(np.ones(5, 'f4'), np.ones(7, 'f4'))
                            except to.InvalidArgument: pass
                        to.add(np.ones(n, 'f4'), np.ones(n, 'f4'))""", 3),
                # A text that cannot have those extents open: a plan for each, once.
                ("f = to.expr('(x) -> amax(x, group = 4)')\nfor n in [*range(1, 31), *range(1, 31)]: f(np.ones((2, 4 * n), 'f4'))", 30)):
            with self.subTest(what):
                done = subprocess.run([sys.executable, "-c", f"import numpy as np, libtileops as to\n{what}"],
                                      env={**os.environ, "TILEOPS_LOG": "info"}, check=True, capture_output=True, text=True)
                self.assertLessEqual(done.stderr.count("info: plan: "), most, done.stderr)


if __name__ == "__main__":
    unittest.main()
