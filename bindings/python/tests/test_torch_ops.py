"""torch's functions by expressions, on torch's own samples of their arguments: values, gradients, second gradients, graphs."""

import ast
import inspect
import pathlib
import unittest

import torch

import libtileops as to

try:
    from torch.testing._internal.common_methods_invocations import op_db
except ImportError:  # it wants the package expecttest
    op_db = []

ops = to.torch.ops
FUNCTIONS = {"all": ops.all, "amax": ops.amax, "amin": ops.amin, "any": ops.any, "cumprod": ops.cumprod, "cumsum": ops.cumsum,
             "log_softmax": ops.log_softmax, "logsumexp": ops.logsumexp, "mean": ops.mean, "nn.functional.layer_norm": ops.layer_norm,
             "nn.functional.rms_norm": ops.rms_norm, "softmax": ops.softmax, "sum": ops.sum, "var": ops.var}
NO_GRADIENT = ("all", "any", "cumprod")


def samples(dtype, grad=False):
    """(name, function, its inputs) for all samples that say nothing that the function does not take."""
    for info in op_db:
        if info.name not in FUNCTIONS or info.variant_test_name == "unbiased" or not info.supports_dtype(dtype, "cpu"):
            continue
        for sample in info.sample_inputs("cpu", dtype, requires_grad=grad):
            named = dict(sample.kwargs)
            if "unbiased" in named:
                named["correction"] = int(named.pop("unbiased"))
            if named.get("correction", 1) not in (0, 1):  # also None, or a fraction
                continue
            yield info.name, FUNCTIONS[info.name], info.op, sample, named


@unittest.skipUnless(op_db, "torch's samples are not there (pip install expecttest)")
class Samples(unittest.TestCase):
    def test_values(self):
        counts = {}
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool):
            for name, function, reference, sample, named in samples(dtype):
                if name in ("softmax", "log_softmax") and not dtype.is_floating_point and "dtype" not in named:
                    continue
                arguments = sample.input, *sample.args
                with self.subTest(name, dtype=dtype, input=tuple(sample.input.shape), args=sample.args, named=named):
                    want = reference(*arguments, **sample.kwargs)
                    got = function(*arguments, **named)
                    # torch rounds 16 bits more than once: 2 of their last places, and what it sums
                    tolerance = {torch.bfloat16: 2**-6, torch.float16: 2**-9, torch.float32: 1e-5, torch.float64: 1e-12}.get(want.dtype, 0)
                    torch.testing.assert_close(got, want, rtol=tolerance, atol=tolerance, equal_nan=True)
                    counts[name] = counts.get(name, 0) + 1
        self.assertEqual(counts.keys(), FUNCTIONS.keys())

    def test_gradients(self):
        seen = 0
        for name, function, _, sample, named in samples(torch.float64, grad=True):
            tensors = [t for t in (sample.input, *sample.args) if isinstance(t, torch.Tensor)]
            if name in NO_GRADIENT or sample.input.numel() > 30 or sample.input.numel() == 0 or named.get("dtype") not in (None, torch.float64):
                continue
            rest = [a for a in sample.args if not isinstance(a, torch.Tensor)]

            def call(x, *more, function=function, rest=rest, named=named):
                return function(x, *rest, *more, **named)
            with self.subTest(name, input=tuple(sample.input.shape), args=rest, named=named):
                self.assertTrue(torch.autograd.gradcheck(call, tensors))
                self.assertTrue(torch.autograd.gradgradcheck(call, tensors))
            seen += 1
        self.assertGreater(seen, 60)


class Rules(unittest.TestCase):
    def test_dimensions(self):
        x = torch.randn(3, 4, 5)
        for dim in (0, 1, 2, -1, -3):
            torch.testing.assert_close(ops.softmax(x, dim), x.softmax(dim))
            torch.testing.assert_close(ops.sum(x, dim), x.sum(dim))
            torch.testing.assert_close(ops.cumsum(x, dim), x.cumsum(dim))
        for dim in ((0, 2), (2, 0), (0, 1), [1, 2], (0, 1, 2), (), None):
            for keepdim in (False, True):
                torch.testing.assert_close(ops.sum(x, dim, keepdim), x.sum(dim, keepdim))
        for wrong in (3, -4):
            with self.assertRaises(IndexError):
                ops.softmax(x, wrong)
        with self.assertRaisesRegex(RuntimeError, "multiple times"):
            ops.sum(x, (0, -3))
        x = torch.rand(2, 1, 2, 1, 2, 3)
        torch.testing.assert_close(ops.sum(x, (0, 1, 2, 3, 5)), x.sum((0, 1, 2, 3, 5)))  # more than graphs have

    def test_empty(self):
        x = torch.empty(0, 3)
        self.assertEqual(ops.sum(x, 0).tolist(), [0, 0, 0])
        self.assertTrue(ops.mean(x, 0).isnan().all())
        for function in (ops.amax, ops.amin):
            with self.assertRaises(IndexError):
                function(x, 0)
            self.assertEqual(function(x, 1).shape, (0,))

    def test_refused(self):
        with self.assertRaises(RuntimeError):
            ops.mean(torch.ones(3, dtype=torch.int64))
        with self.assertRaises(ValueError):
            ops.var(torch.ones(3), correction=2)
        with self.assertRaises(ValueError):
            ops.cumprod(torch.ones(3, requires_grad=True), 0)
        with self.assertRaises(RuntimeError):
            ops.layer_norm(torch.ones(2, 3), (2,))
        with self.assertRaises(RuntimeError):
            ops.layer_norm(torch.ones(2, 3), (3,), torch.ones(1))

    def test_stubs_have_the_signatures(self):
        for module in (to.torch, ops):
            stub = ast.parse(pathlib.Path(module.__file__).with_suffix(".pyi").read_text())
            for node in (node for node in stub.body if isinstance(node, ast.FunctionDef)):
                arguments = [a.arg for a in (*node.args.args, *node.args.kwonlyargs)]
                self.assertEqual(arguments, list(inspect.signature(getattr(module, node.name)).parameters), node.name)
            said = {node.name for node in stub.body if isinstance(node, ast.FunctionDef)}
            self.assertEqual(said, set(module.__all__) - {"ops"})

    def test_compiled(self):
        torch._dynamo.reset()

        def f(x, w):
            y = ops.layer_norm(x, (x.shape[-1],), w)
            return ops.softmax(y, 0) * ops.sum(x, (0, 1), keepdim=True) + ops.var(x, dim=1, keepdim=True)
        with torch._dynamo.config.patch(error_on_recompile=True):
            compiled = torch.compile(f, fullgraph=True, dynamic=True, backend="aot_eager")
            for rows in (3, 5, 8):
                x = torch.randn(rows, 6, dtype=torch.float64, requires_grad=True)
                w = torch.rand(6, dtype=torch.float64, requires_grad=True)
                for a, b in zip(*(torch.autograd.grad(g(x, w).sum(), (x, w)) for g in (compiled, f))):
                    torch.testing.assert_close(a, b)


if __name__ == "__main__":
    unittest.main()
