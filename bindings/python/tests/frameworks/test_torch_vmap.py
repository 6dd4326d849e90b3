"""Operators within torch.func: batches are one call where the text allows, derivatives are those of the operators."""

import unittest

import torch
from torch.autograd import forward_ad
from torch.func import grad, hessian, jacfwd, jacrev, jvp, vmap
from torch.utils._python_dispatch import TorchDispatchMode

import libtileops as to
from libtileops.torch import op
from libtileops._parts import Refused, states_of

NORM = "(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w"


class Counted(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def __torch_dispatch__(self, function, types, arguments=(), named=None):
        self.calls += "libtileops" in str(function)
        return function(*arguments, **(named or {}))


def doubles(*shapes):
    torch.manual_seed(0)
    return [torch.randn(shape, dtype=torch.float64) for shape in shapes]


class Vmap(unittest.TestCase):
    def check(self, text, dims, operands, calls, **scalars):
        """vmap against calls for each element, and how many calls of the library it takes."""
        f = op(text, grad=())
        with Counted() as counted:
            got = vmap(lambda *operands: f(*operands, **scalars), in_dims=dims)(*operands)
        self.assertEqual(counted.calls, calls, text)
        size = next(x.shape[d] for x, d in zip(operands, dims) if d is not None)
        each = [f(*(x if d is None else x.select(d, i) for x, d in zip(operands, dims)), **scalars) for i in range(size)]
        each = each if isinstance(each[0], tuple) else [(y,) for y in each]
        for a, b in zip(got if isinstance(got, tuple) else (got,), zip(*each), strict=True):
            self.assertEqual((a.dtype, a.shape), (b[0].dtype, (size, *b[0].shape)), text)
            self.assertTrue(torch.equal(a, torch.stack(b)), text)

    def test_one_call(self):
        x, m, w, v = doubles((3, 4, 8), (3, 8), (8,), (4, 3, 8))
        self.check("(x) -> softmax(x)", (0,), (x,), 1)
        self.check("(x) -> softmax(x)", (2,), (x,), 1)
        self.check(NORM, (0, None), (x, w), 1, eps=0.5)
        self.check("(x, y) -> x * y", (0, 0), (x, m), 1)  # of fewer dimensions
        self.check("(x, y) -> x - y", (None, 0), (w, m), 1)
        self.check("(x, y) -> x * y", (0, 1), (x, v), 1)
        self.check("(x) -> { m = mean(x, axis = -2); x - m, m, argmax(x), x > 0 }", (1,), (v,), 1)
        self.check("(t, i) -> gather(t, i)", (0, 0), (m, torch.tensor([[1], [0], [7]])), 1)
        self.check("(x, y) -> sum_to(x, y)", (0, 0), (x, m), 1)

    def test_one_call_each(self):
        x, m, s = doubles((3, 4, 8), (3, 8), (3,))
        self.check(NORM, (0, 0), (x, m), 3)  # the text says that a weight has one dimension
        self.check("(x) -> x / sum(x, axis = all)", (0,), (x,), 3)
        self.check("(x, y) -> sum_to(x, y)", (0, None), (x, m[0]), 3)
        self.check("(x, s) -> x * s", (None, 0), (x[0].float(), s), 3)  # a number beside x, and no array of another type
        self.check("(t, i) -> gather(t, i, axis = -2)", (None, 0), (m, torch.tensor([[[1]], [[0]], [[2]]])), 1)

    def test_nothing(self):
        norm = op(NORM)
        y = vmap(norm, (1, None))(torch.ones(4, 0, 8), torch.ones(8))
        self.assertEqual((y.shape, y.dtype), ((0, 4, 8), torch.float32))
        q, s = vmap(op("(x[.., n]) -> { s = amax(abs(x)) / 127; cast(round(x / s), i8), s }", grad=()))(torch.ones(0, 4))
        self.assertEqual((q.shape, q.dtype, s.shape), ((0, 4), torch.int8, (0, 1)))

    def test_nested(self):
        x, y = doubles((3, 8), (5, 8))
        f = op("(x, y) -> sum(x * y)")
        torch.testing.assert_close(vmap(vmap(f, (None, 0)), (0, None))(x, y)[..., 0], x @ y.T)

    def test_rules_agree(self):
        """Along an axis in front of all others nothing is a row."""
        expr = to.expr("(x) -> cumsum(x) / sum(x)")
        self.assertEqual(states_of(expr, -3, ["cut"], False), ["cut"])
        with self.assertRaises(Refused):
            states_of(to.expr("(x) -> exp(sum(x, axis = all))"), -3, ["cut"], False)


class Derivatives(unittest.TestCase):
    def test_per_sample_gradients(self):
        norm = op(NORM)
        x, w = doubles((5, 4, 8), (8,))
        one = grad(lambda x, w: (norm(x, w) ** 2).sum(), (0, 1))
        for got, want in zip(vmap(one, (0, None))(x, w), zip(*(one(each, w) for each in x))):
            torch.testing.assert_close(got, torch.stack(want))
        p, q = x[0].clone().requires_grad_(), w.clone().requires_grad_()
        torch.testing.assert_close(one(x[0], w), torch.autograd.grad((norm(p, q) ** 2).sum(), (p, q)))

    def test_jacobians(self):
        softmax = op(to.softmax)
        x, = doubles((6,))
        torch.testing.assert_close(jacrev(softmax)(x), jacrev(lambda x: x.softmax(-1))(x))
        torch.testing.assert_close(jacrev(jacrev(lambda x: (softmax(x) ** 2).sum()))(x), hessian(lambda x: (x.softmax(-1) ** 2).sum())(x))

    def test_compiled(self):
        """torch.func's transforms within a graph: gradients of each sample, jacobians, of operators that Inductor takes apart or keeps whole."""
        x, w = doubles((5, 4, 8), (8,))
        for decompose, backend in ((None, "inductor"), (False, "inductor"), (None, "aot_eager")):
            norm = op(NORM, decompose=decompose)
            one = grad(lambda x, w, norm=norm: (norm(x, w, eps=0.5) ** 2).sum(), (0, 1))
            for f in (one, vmap(one, (0, None)), vmap(vmap(one, (0, None)), (0, None)), vmap(jacrev(lambda x, w, norm=norm: norm(x, w)), (0, None))):
                torch._dynamo.reset()
                given = x if f is one else x.reshape(5, 2, 2, 8), w
                for got, want in zip(torch.compile(f, backend=backend, fullgraph=True)(*given), f(*given)):
                    torch.testing.assert_close(got, want)

    def test_no_tangent_is_lost(self):
        """Forward mode is refused, wherever the derivative would come from."""
        x, y = doubles((6,), (3, 6))
        softmax, whole = op(to.softmax), op("(x) -> floor(x)", grad=())
        for f in (softmax, whole):
            with self.assertRaisesRegex(RuntimeError, "has no jvp"):
                jacfwd(f)(x)
            with self.assertRaisesRegex(RuntimeError, "has no jvp"):
                jvp(vmap(f), (y,), (y,))
            with forward_ad.dual_level():
                dual = forward_ad.make_dual(x, x)
                with self.assertRaisesRegex(RuntimeError, "has no jvp"):
                    f(dual)
                with torch.no_grad(), self.assertRaisesRegex(RuntimeError, "has no jvp"):
                    f(dual)
                f(x)


if __name__ == "__main__":
    unittest.main()
