"""Operators of torch: gradients, compiled graphs that keep them whole, fakes with symbols."""

import pathlib
import re
import sys
import threading
import unittest

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

import libtileops as to
from libtileops.torch import op

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tools"))
import functions  # noqa: E402
import named_shapes  # noqa: E402

NORM = "(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w"


def doubles(*shapes, grad=True):
    torch.manual_seed(0)
    return [torch.randn(shape, dtype=torch.float64, requires_grad=grad) for shape in shapes]


class Operators(unittest.TestCase):
    def test_call(self):
        norm = op(NORM)
        x, w = doubles((4, 8), (8,), grad=False)
        for eps in (1e-6, 0.5):
            self.assertTrue(torch.equal(norm(x, w, eps=eps), to.expr(NORM)(x, w, eps=eps)))
        self.assertTrue(torch.equal(norm.overload(x, w), norm(x, w)))
        self.assertIs(op(NORM), norm)
        self.assertIs(op(to.expr(NORM)).overload, norm.overload)
        self.assertTrue(torch.equal(op(to.softmax)(x.t()), to.softmax(x.t())))

    def test_defaults(self):
        """Also those that a schema cannot write."""
        f = op("(x; most = inf, s = 2.0) -> minimum(x, most) * s")
        x, = doubles((3, 4))
        for given in (x, x.detach()):
            self.assertTrue(torch.equal(f(given), x * 2))
            self.assertTrue(torch.equal(f(given, s=3.0), x * 3))
            self.assertTrue(torch.equal(f(given, most=0.0), x.clamp(max=0) * 2))
        self.assertTrue(torch.equal(torch.autograd.grad(f(x, s=3.0).sum(), x)[0], torch.full_like(x, 3)))

    def test_names(self):
        named = op("(x) -> x + 1", name="one_more")
        self.assertIs(named.overload, torch.ops.libtileops.one_more.default)
        self.assertIs(op("(x) -> x + 1", name="one_more"), named)
        with self.assertRaisesRegex(ValueError, "is another expression"):
            op("(x) -> x + 2", name="one_more")
        with self.assertRaisesRegex(ValueError, "no identifier"):
            op("(x) -> x", name="a.b")
        with self.assertRaises(SyntaxError):
            op("(x) -> gulp(x)")
        with self.assertRaises(TypeError):
            op(to.gelu)
        with self.assertRaisesRegex(to.InvalidArgument, "stores parts"):
            op("(v, m) -> store_if(v, m)", grad=())

    def test_errors(self):
        x, w = doubles((4, 8), (7,), grad=False)
        with self.assertRaisesRegex(RuntimeError, "where n is 8 of x"):
            op(NORM)(x, w)
        with self.assertRaisesRegex(RuntimeError, "does not take this dtype|dtype"):
            op("(x) -> gelu(x)")(torch.ones(3, dtype=torch.int32))
        with self.assertRaisesRegex(TypeError, "there is no scalar 'epsilon'"):
            op(NORM)(x, w, epsilon=1)

    def test_views(self):
        neg = op("(x) -> -x")
        x = torch.randn(4, 6)
        for view in (x.t(), x[:, ::2], x[0].expand(4, 6), x[0, 0], x[:0]):
            self.assertTrue(torch.equal(neg(view), -view))
        z = torch.randn(4, dtype=torch.complex64)
        self.assertTrue(torch.equal(neg(z.conj().imag), z.imag))  # the dispatcher resolves it

    def test_layouts(self):
        """A result of the first operand's shape is laid out as that, in fakes too; others are row-major."""
        norm, moments = op("(x, y) -> relu(x) * y"), op("(x) -> { m = mean(x, axis = -3); x - m, m }")
        x = torch.randn(2, 3, 4, 5)
        last = x.to(memory_format=torch.channels_last)
        y = torch.randn(3, 1, 1)
        self.assertTrue(norm(last, y).is_contiguous(memory_format=torch.channels_last))
        self.assertTrue(torch.equal(norm(last, y), norm(x, y)))
        self.assertTrue(norm(x, last).is_contiguous())
        self.assertEqual(moments(last)[1].stride(), (20, 20, 5, 1))
        for view, kept in ((last, True), (x.permute(3, 0, 1, 2), True), (x[:, :, ::2], False), (x[0].expand(2, 3, 4, 5), False),
                           (x[:, :1].contiguous(memory_format=torch.channels_last), False), (x[:0], False)):
            results = moments(view)
            self.assertEqual(results[0].stride(), view.stride() if kept else torch.empty(view.shape).stride())
            torch.testing.assert_close(results[0], view - view.mean(1, keepdim=True))
            with FakeTensorMode() as mode:
                fakes = moments(mode.from_tensor(view))
            self.assertEqual([f.stride() for f in fakes], [r.stride() for r in results])
        self.assertEqual(set(torch.library.opcheck(norm.overload, (last, y)).values()), {"SUCCESS"})

    def test_several_results(self):
        f = op("(x[.., n]) -> { s = amax(abs(x)) / 127; cast(round(x / s), i8), s }", grad=("x",))
        x = torch.randn(4, 8, requires_grad=True)
        q, s = f(x)
        self.assertEqual((q.dtype, q.requires_grad, s.requires_grad), (torch.int8, False, True))
        s.sum().backward()
        x2 = x.detach().clone().requires_grad_()
        (x2.abs().amax(-1) / 127).sum().backward()
        self.assertTrue(torch.allclose(x.grad, x2.grad))


    def test_threads(self):
        """Kernels run without the interpreter's lock: many shapes at once, plans made meanwhile."""
        f = op("(x[.., n]) -> x - mean(x)")
        x = torch.randn(64, 256)
        failures = []

        def work(seed):
            for n in range(1, 200):
                part = x[: 1 + (n + seed) % 60, :n]
                if not torch.allclose(f(part), part - part.mean(-1, keepdim=True), atol=1e-5):
                    failures.append((seed, n))
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])


class Gradients(unittest.TestCase):
    def test_first_and_second(self):
        x, w, b = doubles((3, 8), (8,), (8,))
        for f, operands in ((op(NORM), (x, w)), (op(to.softmax), (x,)), (op(to.layer_norm), (x, w, b)),
                            (op("(x, y) -> x * sigmoid(y)"), (x, w)), (op("(x, s) -> x * s"), doubles((3, 8), ()))):
            self.assertTrue(torch.autograd.gradcheck(f, operands))
            self.assertTrue(torch.autograd.gradgradcheck(f, operands))

    def test_broadcast_operands(self):
        f = op("(x, y) -> x * y")
        for a, b in (((3, 1), (1, 4)), ((2, 3, 4), (4,)), ((2, 1, 4), (3, 1)), ((4,), ()), ((), (2, 2))):
            x, y = doubles(a, b)
            got = torch.autograd.grad(f(x, y).sum(), (x, y))
            want = torch.autograd.grad((x * y).sum(), (x, y))
            for g, e in zip(got, want):
                self.assertEqual(g.shape, e.shape)
                torch.testing.assert_close(g, e)

    def test_no_gradient_is_lost(self):
        x, w = doubles((3, 8), (8,))
        f = op(NORM, grad=("x",))
        with self.assertRaisesRegex(ValueError, "requires a gradient and is not in grad=..x"):
            f(x, w)
        got, = torch.autograd.grad(f(x, w.detach()).sum(), x)
        want, = torch.autograd.grad(op(NORM)(x, w).sum(), x)
        torch.testing.assert_close(got, want)
        with torch.no_grad():
            self.assertFalse(f(x, w).requires_grad)
        with self.assertRaises(ValueError):
            op(NORM, grad=())(x, w)
        with self.assertRaisesRegex(ValueError, "no operand 'z'"):
            op(NORM, grad=("z",))

    def test_labels(self):
        logits, = doubles((5, 7))
        labels = torch.tensor([[0], [3], [6], [2], [2]])
        f = op(to.cross_entropy, grad=(to.cross_entropy.operands[0],))
        got, = torch.autograd.grad(f(logits, labels).sum(), logits)
        want, = torch.autograd.grad(torch.nn.functional.cross_entropy(logits, labels[:, 0], reduction="sum"), logits)
        torch.testing.assert_close(got, want)

    def test_scalars(self):
        x, w = doubles((3, 8), (8,))
        got, = torch.autograd.grad(op(NORM)(x, w, eps=0.5).sum(), x)
        want, = torch.autograd.grad((x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 0.5) * w).sum(), x)
        torch.testing.assert_close(got, want)


class Compiled(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def test_opcheck(self):
        x, w = doubles((4, 8), (8,), grad=False)
        for f, operands in ((op(NORM), (x, w)), (op(to.softmax), (x,)), (op(NORM).differentiable() and op(to.softmax.gradient("x")), (x, x)),
                            (op("(x[.., n]) -> { m = mean(x); x - m, m }"), (x,)), (op("(x, y) -> x < y"), (x, w))):
            results = torch.library.opcheck(f.overload, operands)
            self.assertEqual(set(results.values()), {"SUCCESS"})

    def graphs_of(self, function, *operands):
        """What is compiled, forward and backward, as graphs of the dispatcher's operators."""
        from torch._dynamo.backends.common import aot_autograd
        graphs = []

        def keep(module, _):
            graphs.append(module)
            return module.forward
        compiled = torch.compile(function, fullgraph=True, backend=aot_autograd(fw_compiler=keep))
        compiled(*operands).sum().backward()
        return [[str(node.target) for node in graph.graph.nodes if "libtileops" in str(node.target)] for graph in graphs]

    def test_operators_are_nodes(self):
        norm = op(NORM)
        forward, backward = self.graphs_of(lambda x, w: torch.relu(norm(x * 2, w, eps=1e-3)) * 3, *doubles((4, 8), (8,)))
        self.assertEqual(forward, [str(norm.overload)])
        self.assertEqual(backward, [str(op(norm.expr.gradient("x", "w"), grad=("x", "w", "grad_y0")).overload)])

    def test_one_graph_for_any_batch(self):
        norm = op(NORM)

        def f(x, w):
            return torch.relu(norm(x * 2, w, eps=1e-3)) * 3
        w, = doubles((8,))
        with torch._dynamo.config.patch(error_on_recompile=True):
            compiled = torch.compile(f, fullgraph=True, dynamic=True, backend="aot_eager")
            for batch in (4, 5, 9):
                x, = doubles((batch, 8))
                got, want = (torch.autograd.grad(g(x, w).sum(), (x, w)) for g in (compiled, f))
                torch.testing.assert_close(got, want)

    def test_inductor(self):
        softmax = op(to.softmax)

        def f(x):
            return softmax(x + 1) * 2
        x = torch.randn(4, 8, requires_grad=True)
        with torch._inductor.config.patch(force_disable_caches=True):
            compiled = torch.compile(f, fullgraph=True)
            got, want = (torch.autograd.grad(g(x)[:, 0].sum(), x) for g in (compiled, f))
        torch.testing.assert_close(got, want)

    def test_export(self):
        norm = op(NORM)

        class Model(torch.nn.Module):
            def forward(self, x, w):
                return norm(x, w)
        batch = torch.export.Dim("batch")
        x, w = doubles((4, 8), (8,), grad=False)
        program = torch.export.export(Model(), (x, w), dynamic_shapes=({0: batch}, None))
        x, = doubles((6, 8), grad=False)
        torch.testing.assert_close(program.module()(x, w), norm(x, w))

    def test_vmap(self):
        softmax = op(to.softmax)
        x = torch.randn(3, 4, 8)
        torch.testing.assert_close(torch.func.vmap(softmax)(x), x.softmax(-1))

    def test_fakes_keep_symbols(self):
        """Shapes of the results of all named texts, for operands whose extents are symbols, are those for numbers."""
        labels, specialised, seen = named_shapes.dtypes(), set(), 0
        rows = [row for file in functions.named_expressions().values() for row in file]
        for name, text, _ in rows:
            expr = getattr(to, name)
            given = named_shapes.signature(text)
            letters = sorted({c for _, dims in given for d in dims for c in re.findall(r"(?<!\.)\b[a-z]\w*", d)})
            numbers = dict(zip(letters, (512, 768, 640, 384, 896, 1152)))
            rank = max(len(dims) for _, dims in given)
            shapes = []
            for _, dims in given:
                cut = dims[0] == ".." and len(dims) < rank
                shapes.append(tuple(named_shapes.value(d, numbers, {"..": 6, "..b": 10, "..1": 1}) for d in dims[cut:] if d))
            dtypes = [getattr(torch, self.dtype_name(labels.get(name, {}).get(operand, "f32"))) for operand, _ in given]
            if any("float4" in str(dtype) for dtype in dtypes):
                continue
            try:
                want = expr._infer(*zip(dtypes, shapes))
            except to.Error:  # a text that scatters: its outputs have shapes of their own
                continue
            if any("float4" in dtype for dtype, _ in want):
                continue
            function = op(expr, grad=())
            environment = ShapeEnv()
            with FakeTensorMode(shape_env=environment) as mode:
                fakes = []
                for dtype, shape in zip(dtypes, shapes):
                    context = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC if n > 1 else DimDynamic.STATIC for n in shape])
                    fakes.append(mode.from_tensor(torch.empty(shape, dtype=dtype, device="meta"), symbolic_context=context))
                results = function(*fakes)
            results = results if isinstance(results, (tuple, list)) else (results,)
            with self.subTest(name):
                self.assertEqual([(str(r.dtype).removeprefix("torch."), tuple(int(n.node.hint) if isinstance(n, torch.SymInt) else n for n in r.shape))
                                  for r in results], [tuple(row) for row in want])
            seen += 1
            if environment.replacements or environment.guards:
                specialised.add(name)
        self.assertGreater(seen, 150)
        self.assertEqual(specialised, set())

    @staticmethod
    def dtype_name(label):
        known = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "e4m3fn": "float8_e4m3fn", "e5m2": "float8_e5m2",
                 "e8m0fnu": "float8_e8m0fnu", "e2m1fn": "float4_e2m1fn_x2", "bool": "bool"}
        return known.get(label) or ("uint" if label[0] == "u" else "int") + label[1:]


if __name__ == "__main__":
    unittest.main()
