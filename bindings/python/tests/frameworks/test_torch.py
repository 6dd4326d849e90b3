"""Tensors of torch, called directly: read and written in place, and refused where they would be read wrongly."""

import unittest

import torch

import libtileops as to

x = torch.linspace(-3, 3, 24).reshape(4, 6)


class Torch(unittest.TestCase):
    def test_layouts(self):
        for view in (x, x.t(), x[:, ::2], x[1:, 2:], x[0].expand(4, 6), x[0, 0], x[:0], torch.nn.Parameter(x, requires_grad=False)):
            y = to.neg(view)
            self.assertIs(type(y), torch.Tensor)
            self.assertTrue(torch.equal(y, -view))
        out = torch.zeros(6, 4).t()
        self.assertIs(to.neg(x, out=out), out)
        self.assertTrue(torch.equal(out, -x))

    def test_element_types(self):
        for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int8, torch.int64, torch.uint8):
            t = torch.arange(6).to(dtype)
            y = to.add(t, t)
            self.assertIs(y.dtype, dtype)
            self.assertTrue(torch.equal(y, t + t))
        for dtype in (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e8m0fnu, torch.bool):
            y = to.cast(x, dtype=dtype)
            self.assertIs(y.dtype, dtype)
            if dtype is not torch.float8_e8m0fnu:  # torch's refuses what is negative
                self.assertTrue(torch.equal(y.view(torch.uint8), x.to(dtype).view(torch.uint8)))
        packed = to.cast(torch.tensor([[0.5, 1, -6, 0]]), dtype="float4_e2m1fn")
        self.assertEqual((packed.dtype, packed.view(torch.uint8).tolist()), (torch.float4_e2m1fn_x2, [[0x21, 0x0F]]))
        self.assertEqual(to.cast(packed, dtype=torch.float32).tolist(), [[0.5, 1, -6, 0]])

    def test_refused(self):
        leaf = x.clone().requires_grad_()
        with self.assertRaisesRegex(to.InvalidArgument, "neg: x: requires a gradient"):
            to.neg(leaf)
        with self.assertRaisesRegex(to.InvalidArgument, "neg: out: requires a gradient"):
            to.neg(x, out=leaf)
        with torch.no_grad():
            self.assertTrue(torch.equal(to.neg(leaf), -x))
        self.assertTrue(torch.equal(to.neg(leaf.detach()), -x))
        z = torch.randn(4, dtype=torch.complex64)
        for wrong, message in ((z.conj().imag, "negative view"), (z.conj(), "dtype"), (z, "dtype")):
            with self.assertRaisesRegex(to.Error, f"neg: x: .*{message}"):
                to.neg(wrong)
        self.assertTrue(torch.equal(to.neg(z.conj().imag.resolve_neg()), z.imag))

    def test_subclasses(self):
        class Named(torch.Tensor):
            pass
        with self.assertRaisesRegex(TypeError, "neg: x: a .*Named may be more"):
            to.neg(x.as_subclass(Named))
        from torch._subclasses.fake_tensor import FakeTensorMode
        with FakeTensorMode() as mode, self.assertRaises(TypeError):
            to.neg(mode.from_tensor(x))

    def test_transforms_are_not_seen_through(self):
        """Within vmap and grad a torch.Tensor stands for others: an error, never the wrong elements."""
        for transformed in (torch.func.vmap(to.neg), torch.func.grad(lambda t: to.neg(t).sum())):
            with self.assertRaises(Exception):
                transformed(x)
        with self.assertRaises(Exception):
            to.neg(torch.empty(3, device="meta"))
        with self.assertRaises(Exception):
            to.neg(x.to_sparse())

    def test_results_of_several(self):
        centred, mean = to.expr("(x[.., n]) -> { m = mean(x); x - m, m }")(x)
        self.assertTrue(torch.allclose(centred + mean, x) and torch.allclose(mean, x.mean(-1, keepdim=True)))

    def test_lists(self):
        matrices, rows = [x, x[1:], x[:0], x.t()], [x[0], x[1], x[2], torch.arange(4.0)]
        for y, a, b in zip(to.add.foreach(matrices, rows), matrices, rows):
            self.assertIs(type(y), torch.Tensor)
            self.assertTrue(torch.equal(y, a + b))
        kept = [a.clone() for a in matrices]
        self.assertIs(to.neg.foreach(kept, out=kept), kept)
        self.assertTrue(all(torch.equal(y, -a) for y, a in zip(kept, matrices)))
        with self.assertRaisesRegex(to.InvalidArgument, "neg: x: requires a gradient"):
            to.neg.foreach([x, x.clone().requires_grad_()])

    def test_lists_of_parameters(self):
        """Steps of an optimiser on a model's parameters in place, beside torch's own."""
        step = to.expr("""(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {
            n = lerp(m, g, 1 - b1);  q = v * b2 + g * g * (1 - b2);
            p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }""")
        models = []
        for _ in range(2):
            torch.manual_seed(0)
            models.append(torch.nn.Sequential(torch.nn.Linear(6, 16), torch.nn.LayerNorm(16), torch.nn.GELU(), torch.nn.Linear(16, 3)))
        ours, theirs = models
        optimiser = torch.optim.AdamW(theirs.parameters(), lr=0.01)
        p = list(ours.parameters())
        m, v = ([torch.zeros_like(each) for each in p] for _ in range(2))
        for t in range(1, 6):
            for model in models:
                model.zero_grad()
                model(x).square().sum().backward()
            optimiser.step()
            with torch.no_grad():
                step.foreach(p, [each.grad for each in p], m, v, lr=0.01, t=t, out=(p, m, v))
            for a, b in zip(p, theirs.parameters()):
                torch.testing.assert_close(a, b)

    def test_one_library_beside_another(self):
        self.assertIs(type(to.add(x, x.numpy())), torch.Tensor)
        self.assertTrue(torch.equal(to.add(x, x.numpy()), x + x))


if __name__ == "__main__":
    unittest.main()
