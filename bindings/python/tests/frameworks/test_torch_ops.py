"""torch's functions by expressions, on torch's own samples of their arguments: values, gradients, second gradients, graphs."""

import ast
import collections
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
# Functions by their names in torch's table, where these are others.
OTHERS = {"linalg.vector_norm": "vector_norm", **{f"nn.functional.{name}": name for name in (
    "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_similarity", "cross_entropy", "embedding", "group_norm",
    "huber_loss", "instance_norm", "kl_div", "l1_loss", "layer_norm", "mse_loss", "nll_loss", "normalize", "rms_norm",
    "smooth_l1_loss", "soft_margin_loss", "softmin")}}
# What is refused of torch's samples, by name, and a part of what is said then.
REFUSED = {"batch_norm": ["training: "], "embedding": ["got an unexpected keyword"], "gather": ["index: has"],
           "instance_norm": ["keeps no statistics"], "norm": ["singular values"], "normalize": ["p: is above 0"],
           "softmin": ["unsigned integers"]}
NO_GRADIENT = {"batch_norm": ["training: "], "cummax": ["in grad=()"], "cummin": ["in grad=()"], "cumprod": ["in grad=()"],
               "gather": ["in grad=()", "index: has"], "index_select": ["in grad=()"],
               "instance_norm": ["keeps no statistics"], "norm": ["in grad=()", "singular values"], "take_along_dim": ["in grad=()"],
               "vector_norm": ["in grad=()"]}
# The second derivative of a product where two factors are 0: torch's is right.
ZEROS = "prod"
ERRORS = TypeError, ValueError, RuntimeError, IndexError
TOLERANCE = {torch.bfloat16: 2**-6, torch.float16: 2**-9, torch.float32: 1e-5, torch.float64: 1e-12}
DTYPES = torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.int32, torch.uint8, torch.bool


def samples(dtype, grad=False):
    """(name, function, torch's function, sample, the sample's arguments by name)."""
    for info in op_db:
        name = OTHERS.get(info.name, info.name)
        if name not in ops.__all__ or info.variant_test_name in ("unbiased", "binary", "reduction_no_dim") or not info.supports_dtype(dtype, "cpu"):
            continue
        torch.manual_seed(0)
        for sample in info.sample_inputs("cpu", dtype, requires_grad=grad):
            named = dict(sample.kwargs)
            if "unbiased" in named:
                named["correction"] = int(named.pop("unbiased"))
            function = getattr(ops, name)
            if name == "embedding":  # whose samples have the weight first
                def function(weight, index, **named):
                    return ops.embedding(index, weight, **named)
            yield name, function, info.op, sample, named


def doubled(arguments):
    """Arguments with float64 in the place of 16 bits."""
    if isinstance(arguments, dict):
        return {name: doubled(value) for name, value in arguments.items()}
    if isinstance(arguments, tuple):
        return tuple(map(doubled, arguments))
    narrow = isinstance(arguments, torch.Tensor) and arguments.dtype in (torch.bfloat16, torch.float16)
    return arguments.double() if narrow else arguments


def listed(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


@unittest.skipUnless(op_db, "torch's samples are not there (pip install expecttest)")
class Samples(unittest.TestCase):
    def test_values(self):
        counts, refused = collections.Counter(), {}
        for dtype in DTYPES:
            for name, function, reference, sample, named in samples(dtype):
                arguments = sample.input, *sample.args
                with self.subTest(name, dtype=dtype, input=tuple(sample.input.shape), args=sample.args, named=named):
                    want = listed(reference(*arguments, **sample.kwargs))
                    try:
                        got = listed(function(*arguments, **named))
                    except ERRORS as error:
                        refused.setdefault(name, set()).add(str(error))
                        continue
                    self.assertEqual(len(got), len(want))
                    exact = None
                    for k, (a, b) in enumerate(zip(got, want)):
                        tolerance = TOLERANCE.get(b.dtype, 0)
                        if b.dtype in (torch.bfloat16, torch.float16) and not torch.allclose(a, b, tolerance, tolerance, True):
                            # torch has rounded on its way: ours is nearer to what float64 gives.
                            exact = exact or listed(reference(*doubled(arguments), **doubled(sample.kwargs)))
                            self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
                            self.assertLessEqual(*((t - exact[k]).abs().max() for t in (a, b)))
                            continue
                        torch.testing.assert_close(a, b, rtol=tolerance, atol=tolerance, equal_nan=True)
                    counts[name] += 1
        self.assertEqual(counts.keys(), set(ops.__all__))
        self.assertGreater(sum(counts.values()), 4000)
        self.expect(refused, REFUSED)

    def test_gradients(self):
        seen, refused = collections.Counter(), {}
        for name, function, _, sample, named in samples(torch.float64, grad=True):
            given = [sample.input, *sample.args]
            places = [k for k, a in enumerate(given) if isinstance(a, torch.Tensor) and a.requires_grad]
            names = [k for k, a in named.items() if isinstance(a, torch.Tensor) and a.requires_grad]
            tensors = [*(given[k] for k in places), *(named[k] for k in names)]
            if not tensors or sample.input.numel() > 30 or sample.input.numel() == 0 or named.get("dtype") not in (None, torch.float64):
                continue

            def call(*tensors, function=function, given=given, named=named, places=places, names=names):
                given, named = list(given), dict(named)
                for k, tensor in zip((*places, *names), tensors):
                    (named if isinstance(k, str) else given)[k] = tensor
                results = function(*given, **named)
                return tuple(r for r in listed(results) if r.is_floating_point())
            with self.subTest(name, input=tuple(sample.input.shape), args=sample.args, named=named):
                try:
                    if not call(*tensors):
                        continue
                except ERRORS as error:
                    refused.setdefault(name, set()).add(str(error))
                    continue
                self.assertTrue(torch.autograd.gradcheck(call, tensors))
                if name != ZEROS or (sample.input == 0).sum() < 2:
                    self.assertTrue(torch.autograd.gradgradcheck(call, tensors))
                seen[name] += 1
        self.assertGreater(sum(seen.values()), 600)
        self.expect(refused, NO_GRADIENT)

    def expect(self, refused, listed):
        """All that was refused is in the list, and all in the list was refused."""
        self.assertEqual(sorted(refused), sorted(listed))
        for name, messages in refused.items():
            with self.subTest(name):
                self.assertEqual([part for part in listed[name] if not any(part in message for message in messages)], [])
                self.assertEqual([message for message in messages if not any(part in message for part in listed[name])], [])


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
            ops.cumprod(torch.ones(3, requires_grad=True), 0)
        with self.assertRaises(RuntimeError):
            ops.layer_norm(torch.ones(2, 3), (2,))
        with self.assertRaises(RuntimeError):
            ops.layer_norm(torch.ones(2, 3), (3,), torch.ones(1))

    def test_stubs_have_the_signatures(self):
        for module in (to.torch, ops):  # of packages: beside __init__.py
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
            y = ops.group_norm(y.unsqueeze(0), 1)[0] + ops.max(x, -1, keepdim=True).values
            y = y + ops.cross_entropy(x, x.detach()[:, 0].abs().clamp(max=3).long(), label_smoothing=0.1)
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
