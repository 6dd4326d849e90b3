"""Lists of arrays by one call."""

import threading
import unittest

import numpy as np

import libtileops as to

ADAMW = """(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {
  n = lerp(m, g, 1 - b1);  q = v * b2 + g * g * (1 - b2);
  p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }"""

# A model's parameters: vectors and matrices of many extents, one of which is empty.
SHAPES = [(96,), (1,), (7, 3), (0,), (64,), (5, 13), (1000,), (3, 1), (96,), (2, 48), (17,), (31, 31), (4096,), (5,), (1, 128), (2,), (3, 11),
          (4, 3, 2), (250, 280), (8,)]


def model(seed=0):
    random = np.random.default_rng(seed)
    p, g = ([random.standard_normal(shape, dtype="f4") for shape in SHAPES] for _ in range(2))
    return p, g, [np.zeros_like(x) for x in p], [np.zeros_like(x) for x in p]


def assert_same(got, want):
    assert len(got) == len(want)
    for i, (a, b) in enumerate(zip(got, want)):
        assert a.dtype == b.dtype and a.shape == b.shape, i
        np.testing.assert_array_equal(a.view("u1") if a.size else a, b.view("u1") if b.size else b, str(i))


class ForEach(unittest.TestCase):
    def test_steps_of_an_optimiser(self):
        step = to.Expr(ADAMW)
        p, g, m, v = model()
        alone = model()
        plain = [x.astype("f8") for x in p]
        moments = [[np.zeros_like(x) for x in plain] for _ in range(2)]
        for t in range(1, 6):
            lr = 0.01 * (6 - t)
            out = (p, m, v)
            self.assertIs(step.foreach(p, g, m, v, lr=lr, t=t, out=out), out)
            for a, b, c, d in zip(*alone):
                step(a, b, c, d, lr=lr, t=t, out=(a, c, d))
            for x, grad, n, q in zip(plain, g, *moments):
                n += 0.1 * (grad - n)
                q += 0.001 * (grad.astype("f8") ** 2 - q)
                x -= lr * 0.01 * x + lr * (n / (1 - 0.9**t)) / (np.sqrt(q / (1 - 0.999**t)) + 1e-8)
        for got, want in zip((p, m, v), (alone[0], alone[2], alone[3])):
            assert_same(got, want)
        for got, want in zip(p, plain):
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-5)

    def test_results_are_made(self):
        p, g, _, _ = model()
        assert_same(to.add.foreach(p, g, alpha=2), [to.add(a, b, alpha=2) for a, b in zip(p, g)])
        both = to.expr("(x[.., n]) -> { e = exp(x - amax(x)); e / sum(e), cast(x, f16) }").foreach([x for x in p if x.size])
        self.assertIsInstance(both, tuple)
        for k in range(2):
            assert_same(both[k], [(to.softmax(x), x.astype("f2"))[k] for x in p if x.size])
        assert_same(to.relu.foreach(tuple(p), dtype="f64"), [to.relu(x, dtype="f64") for x in p])
        self.assertEqual(to.relu.foreach([]), [])

    def test_operands_of_all(self):
        p, g, _, _ = model()
        scaled = to.Expr("(x, s) -> x * s")
        by = np.float32(0.5)
        assert_same(scaled.foreach(p, by), [x * by for x in p])
        assert_same(scaled.foreach(p, np.full(1, 0.5, "f4")), [x * by for x in p])
        assert_same(to.mul.foreach(p, 3.0), [to.mul(x, 3.0) for x in p])
        # Each with a number of its own, and those with none.
        assert_same(scaled.foreach(p, [np.float32(i) for i in range(len(p))]), [x * np.float32(i) for i, x in enumerate(p)])
        plus = to.Expr("(x, y = 1) -> x + y")
        some = [y if i % 3 else None for i, y in enumerate(g)]
        assert_same(plus.foreach(p, some), [plus(x, y) for x, y in zip(p, some)])

    def test_what_is_repeated(self):
        """Operands that are repeated along others, beside items where they are as long."""
        add = to.Expr("(x, y) -> x + y")
        shapes = [((4, 5), (4, 5)), ((6, 5), (1, 5)), ((1, 5), (1, 5)), ((3, 1), (1, 7)), ((2, 5), (2, 1)), ((9, 8), (1, 8)), ((5,), (4, 5))]
        random = np.random.default_rng(1)
        x, y = ([random.standard_normal(pair[k], dtype="f4") for pair in shapes] for k in range(2))
        assert_same(add.foreach(x, y), [a + b for a, b in zip(x, y)])

    def test_layouts_and_dtypes(self):
        random = np.random.default_rng(2)
        x = [random.standard_normal((6, 8)).astype(dtype) for dtype in ("f4", "f8", "f2", "f4", "f8") for _ in range(2)]
        x += [x[0].T, x[0][:, ::2], x[0][::-1], x[1].T, np.broadcast_to(x[0][:1], (5, 8))]
        assert_same(to.square.foreach(x), [to.square(a) for a in x])
        y = [np.zeros(a.shape, a.dtype).T.copy().T if i % 2 else np.zeros((a.shape[0], 20), a.dtype)[:, ::2][:, :a.shape[1]] for i, a in enumerate(x)]
        to.square.foreach(x, out=y)
        for a, b in zip(x, y):
            np.testing.assert_array_equal(b, a * a)

    def test_rows_and_workspaces(self):
        random = np.random.default_rng(3)
        x = [random.standard_normal((n, 24), dtype="f4") for n in (7, 300, 1, 0, 65, 7)]
        w = np.arange(24, dtype="f4")
        f = to.Expr("(x, w) -> x / (1 + sum(abs(x))) / (1 + sum(abs(x), axis = -2)) * w")
        assert_same(f.foreach(x, w), [f(a, w) for a in x])
        # Lengths of rows that cannot be open have a plan each.
        groups = to.Expr("(x) -> amax(x, group = 4)")
        y = [random.standard_normal((3, n), dtype="f4") for n in (8, 12, 8, 4)]
        assert_same(groups.foreach(y), [groups(a) for a in y])

    def test_what_is_refused(self):
        add = to.Expr("(x, y) -> x + y")
        a, b, c = (np.ones(n, "f4") for n in (3, 4, 5))
        refused = [
            (TypeError, "y: has 1 elements, and x has 2", lambda: add.foreach([a, b], [a])),
            (TypeError, "foreach takes lists of arrays", lambda: add.foreach(a, b)),
            (TypeError, "y: is missing", lambda: add.foreach([a])),
            (TypeError, r"y\[1\]: is missing", lambda: add.foreach([a, b], [a, None])),
            (TypeError, "out: has 1 elements, and the operands have 2", lambda: add.foreach([a, b], [a, b], out=[a])),
            (TypeError, "out: takes lists of arrays", lambda: add.foreach([a], [a], out=a)),
            (TypeError, "out: takes a tuple of 3 lists", lambda: to.Expr(ADAMW).foreach([a], [a], [a], [a], out=([a],))),
            (TypeError, "that of out is taken", lambda: add.foreach([a], [a], out=[a], dtype="f64")),
            (TypeError, "no argument 'z'", lambda: add.foreach([a], [a], z=1)),
            (to.InvalidArgument, r"items\[1\]: .*y", lambda: add.foreach([a, b, c], [a, c, c])),
            (to.InvalidArgument, r"items\[1\]: .*y", lambda: add.foreach([a, np.ones((2, 4), "f4")], [a, c])),
            (to.InvalidArgument, r"items\[2\]: outputs\[0\] overlaps outputs\[0\] of items\[0\]",
             lambda: add.foreach([a, b, a], [a, b, a], out=[a, b, a])),
        ]
        for kind, text, call in refused:
            with self.assertRaisesRegex(kind, text):
                call()
        # Numbers of items are those of the lists, whatever plans serve them.
        with self.assertRaisesRegex(to.InvalidArgument, r"items\[3\]: .* overlaps outputs\[0\] of items\[1\]"):
            f8 = [np.ones(4), np.ones(3)]
            add.foreach([f8[0], a, f8[1], a], [f8[0], a, f8[1], a], out=[f8[0], a, f8[1], a])
        frozen = np.ones(3, "f4")
        frozen.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "out"):
            add.foreach([a], [a], out=[frozen])

    def test_threads(self):
        step, failures = to.Expr(ADAMW), []

        def work(seed):
            p, g, m, v = model(seed)
            alone = model(seed)
            for t in range(1, 4):
                step.foreach(p, g, m, v, t=t, out=(p, m, v))
                for a, b, c, d in zip(*alone):
                    step(a, b, c, d, t=t, out=(a, c, d))
            if any((x != y).any() for x, y in zip(p, alone[0])):
                failures.append(seed)
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
