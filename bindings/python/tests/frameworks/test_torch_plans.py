"""Operators of torch at batches that they have not seen: one plan serves all, with the bits of a plan for each."""

import os
import subprocess
import sys
import unittest

import torch

import libtileops as to
from libtileops.torch import op

NORM = "(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w"
TEXTS = (NORM, "(x, w) -> { e = exp(x - amax(x)); e / sum(e), cast(x * w, bf16) }", "(x, w) -> sum(x * w, axis = -2), amax(x)",
         "(x, w) -> sum(x * w, axis = all)", "(x, w) -> cumsum(x, axis = -2) * w")
BATCHES = (5, 6, 131, 3, 1, 0, 64, 2, 1, 700, 7)

# Each part prints its name, and the library a line for each plan that it makes: how many there may be, in the order of the parts.
COUNTED = """if True:
    import sys, torch, libtileops as to
    from libtileops.torch import op
    batches = [n * 37 % 101 for n in range(100)]  # 0 and 1 are among them

    def part(name):
        print("part: " + name, file=sys.stderr, flush=True)

    norm = op("(x[.., n], w[n]) -> x * rsqrt(mean(x * x) + 1e-6) * w")
    w = torch.rand(8)
    part("batch 3")
    for n in batches:
        norm(torch.rand(n, 8), w)
    part("batch and length 11")
    for n in batches:
        norm(torch.rand(n, 1 + n * 7 % 13, 8), w)
    part("seen 0")
    for n in batches:
        norm(torch.rand(n, 8), w)
    part("vectors 3")
    relu = op("(x) -> relu(x)")
    for n in batches:
        relu(torch.rand(n))
    part("broadcast 3")
    add = op("(x, y) -> x + y")
    for n in batches[1:]:
        add(torch.rand(n + 2, 4, 8), torch.rand(1, 4, 1))
    part("channels_last 6")  # shapes of results come from a plan of row-major ones
    for n in batches:
        relu(torch.rand(n + 2, 3, 4, 5).to(memory_format=torch.channels_last))
    part("gradients 9")  # of three operators
    weight = w.clone().requires_grad_()
    for n in batches:
        x = torch.rand(n, 8, requires_grad=True)
        first = torch.autograd.grad(norm(x, weight).sum(), (x, weight), create_graph=True)
        torch.autograd.grad(sum(each.sum() for each in first), (x, weight))
    part("refused 22")  # groups of an axis whose length is another one: a plan for each length, once
    scale = op("(x) -> amax(abs(x), axis = -1, group = 4)", grad=())
    for n in [*range(1, 20), *range(1, 20)]:
        scale(torch.rand(3, 4 * n))
    part("compiled 0")
    compiled = torch.compile(lambda x: norm(x, w) + 1, fullgraph=True, dynamic=True, backend="aot_eager")
    for n in batches:
        compiled(torch.rand(n + 2, 8))
"""


class AnyBatch(unittest.TestCase):
    def same(self, got, want):
        for one, other in zip(*((y if isinstance(y, tuple) else (y,)) for y in (got, want)), strict=True):
            self.assertEqual((one.dtype, one.shape), (other.dtype, other.shape))
            self.assertTrue(torch.equal(one, other), (one, other))

    def operands(self, *shapes, dtype=torch.float32):
        generator = torch.Generator().manual_seed(sum(map(len, shapes)))
        return [torch.randn(shape, generator=generator).to(dtype) for shape in shapes]

    def test_plans(self):
        done = subprocess.run([sys.executable, "-c", COUNTED], env={**os.environ, "TILEOPS_LOG": "info"}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in done.stderr.split("part: ")[1:]:
            name, most = part.splitlines()[0].rsplit(" ", 1)
            with self.subTest(name):
                self.assertLessEqual(part.count("info: plan: "), int(most))

    def test_bits(self):
        for text in TEXTS:
            f, closed = op(text, grad=()), to.expr(text)
            for dtype in (torch.float32, torch.bfloat16):
                for n in BATCHES:
                    given = self.operands((n, 24), (24,), dtype=dtype)
                    self.same(f(*given), to.plan(closed, *given)(*given))

    def test_several_extents(self):
        """Shapes that differ in all extents, by one plan in the end; 1 beside others is repeated, and equal lengths are no promise."""
        f = op("(x, y) -> { e = exp(x - amax(x)) * y; e, sum(e, axis = -3) }", grad=())
        shapes = [(n * 5 % 7, 1 + n * 3 % 5, 1 + n * 11 % 17) for n in range(40)]
        for a, b, c in shapes + [(2, 3, 3), (3, 3, 3), (0, 1, 1), (1, 1, 1)]:
            for other in ((a, b, c), (b, 1), (1, c), (1,), ()):
                given = self.operands((a, b, c), other)
                self.same(f(*given), to.plan(f.expr, *given)(*given))

    def test_layouts(self):
        f = op("(x, y) -> relu(x) * y", grad=())
        for n in BATCHES:
            x, y = self.operands((n, 3, 4, 5), (3, 1, 1))
            for view in (x.to(memory_format=torch.channels_last), x.transpose(1, 2), x[:, :, ::2], x[:, :1].expand(n, 3, 4, 5)):
                self.same(f(view, y if view.shape[1] == 3 else y[:1]), torch.relu(view) * (y if view.shape[1] == 3 else y[:1]))

    def test_tables(self):
        """An axis that has been equal to another one by chance, or has not changed so far."""
        f = op("(table, id) -> gather(table, id, axis = -2)", grad=())
        for rows, n in ((9, 4), (9, 5), (9, 6), (9, 9), (9, 300), (7, 6), (6, 6), (9, 2), (5, 5), (1, 1), (1, 3), (4, 1)):
            table, = self.operands((rows, 8))
            ids = torch.arange(n * 8).reshape(n, 8) % rows
            self.same(f(table, ids), table.take_along_dim(ids, 0))

    def test_errors(self):
        """A shape that does not fit is refused in the same words before and after there is one plan."""
        f = op("(x, r) -> rms_norm(x + r, 1.0)")

        def message():
            with self.assertRaises(RuntimeError) as caught:
                f(torch.ones(4, 8), torch.ones(3, 8))
            return str(caught.exception).splitlines()[0]
        before = message()
        for n in range(2, 8):
            f(torch.ones(n, 8), torch.ones(n, 8))
            self.assertEqual(message(), before)
        self.assertIn("does not broadcast", before)

    def test_gradients(self):
        f, expr = op(NORM), to.expr(NORM)
        first = expr.gradient("x", "w")
        second = first.gradient("x", "w", first.operands[2])
        for n in BATCHES:
            x, w, g, hx, hw = self.operands((n, 24), (24,), (n, 24), (n, 24), (24,))
            leaves = [x.clone().requires_grad_(), w.clone().requires_grad_(), g.clone().requires_grad_()]
            grads = torch.autograd.grad(f(*leaves[:2]), leaves[:2], leaves[2], create_graph=True)
            self.same(tuple(each.detach() for each in grads), to.plan(first, x, w, g)(x, w, g))
            self.same(torch.autograd.grad(grads, leaves, (hx, hw)), to.plan(second, x, w, g, hx, hw)(x, w, g, hx, hw))

    def test_compiled(self):
        """One graph for any batch, one plan for any batch."""
        f, expr = op(NORM, grad=()), to.expr(NORM)
        compiled = torch.compile(f, fullgraph=True, dynamic=True, backend="aot_eager")
        for n in BATCHES:
            given = self.operands((n, 24), (24,))
            self.same(compiled(*given), to.plan(expr, *given)(*given))


if __name__ == "__main__":
    unittest.main()
