"""torch's operators by this library: values as torch's, torch's gradients, blocks within each other, in threads, left by exceptions."""

import threading
import unittest

import torch

import libtileops as to
from test_torch_ops import doubled

try:
    from torch.testing._internal.common_methods_invocations import op_db
except ImportError:  # it wants the package expecttest
    op_db = []

use = to.torch.use
KERNELS = to.torch.aten._KERNELS


class Use(unittest.TestCase):
    def test_values_and_gradients(self):
        x, w, b = torch.randn(4, 8, requires_grad=True), torch.rand(8, requires_grad=True), torch.randn(8, requires_grad=True)

        def model():
            y = torch.nn.functional.layer_norm(x, (8,), w, b)
            y = torch.nn.functional.gelu(y, approximate="tanh").softmax(0) + y.sum((0, 1), keepdim=True)
            return torch.nn.functional.mse_loss(y, x.detach().exp()) + y.var(1).mean(0)
        with use() as calls:
            got = torch.autograd.grad(model(), (x, w, b))
        for name in ("native_layer_norm", "gelu", "softmax", "sum", "mse_loss", "exp", "var", "mean", "add"):
            self.assertGreater(calls[name], 0, name)
        for a, e in zip(got, torch.autograd.grad(model(), (x, w, b))):
            torch.testing.assert_close(a, e)

    def test_refused_is_torchs(self):
        z = torch.randn(4, 4, dtype=torch.complex64)
        with use() as calls:
            self.assertTrue(torch.equal(torch.exp(z), z.exp()))
            self.assertEqual(torch.add(torch.ones(2, dtype=torch.int64), 1.5).dtype, torch.float32)
            self.assertTrue(torch.equal(torch.add(torch.ones(2), torch.ones(2), alpha=3), torch.full((2,), 4.0)))
            with self.assertRaises(RuntimeError):
                torch.ones(2) - True
            with self.assertRaises(IndexError):
                torch.ones(2).softmax(5)
            with self.assertRaises(IndexError):
                torch.empty(0, 3).amax(0)
        self.assertEqual(sum(calls.values()), 0)
        with use():  # what is a negative view is resolved before
            self.assertTrue(torch.equal(torch.neg(z.conj().imag), z.imag))

    def test_numbers(self):
        """Numbers in the place of a tensor, which torch makes tensors of: they count by their kind alone, on either side."""
        functions = (lambda x: x * 1e-5, lambda x: 2 - x, lambda x: 2.5 + x, lambda x: x / 3, lambda x: 7 / x, lambda x: x + True,
                     lambda x: torch.add(x, 3, alpha=2), lambda x: torch.add(x, 2**40))
        for dtype in (torch.float32, torch.bfloat16, torch.float64, torch.int32, torch.uint8):
            for x in (torch.tensor([[1, 2, 3], [4, 5, 6]]).to(dtype), torch.tensor(3).to(dtype)):
                for k, function in enumerate(functions):
                    with self.subTest(dtype=dtype, shape=x.shape, function=k):
                        with use() as calls:
                            got = function(x)
                        self.assertEqual(got.dtype, function(x).dtype)
                        torch.testing.assert_close(got, function(x), rtol=0 if dtype.itemsize < 4 else 1e-6, atol=0)
                        if k == 0 and x.dim() and dtype.is_floating_point:
                            self.assertEqual(calls["mul"], 1)

    def test_numbers_of_functions(self):
        x = torch.tensor([-2.0, -0.0, 0.5, 3.0, float("inf"), float("nan")])
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            for function in (lambda x: x ** 2, lambda x: x ** 2.5, lambda x: x ** -1, lambda x: x ** 0, lambda x: x ** 3, lambda x: x.clamp(0.3),
                             lambda x: x.clamp(max=1), lambda x: x.clamp(-1, 0.75)):
                y = x.to(dtype)
                with use() as calls:
                    got = function(y)
                self.assertEqual(calls["pow"] + calls["clamp"], 1)
                torch.testing.assert_close(got, function(y), rtol=0 if dtype == torch.bfloat16 else 1e-6, atol=0, equal_nan=True)

    def test_layouts(self):
        x = torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)
        for view in (x, x.permute(3, 0, 1, 2), x[:, :, ::2], x[0].expand(2, 3, 4, 5)):
            with use("tanh") as calls:
                y = view.tanh()
            self.assertEqual((y.stride(), calls["tanh"]), (view.tanh().stride(), 1))
            torch.testing.assert_close(y, view.tanh())

    def test_blocks(self):
        x = torch.randn(3, 3)
        original = torch.library.get_kernel("aten::_softmax", "CPU")
        with use() as outer:
            x.exp()
            with use(["softmax"]) as inner:
                x.exp()
                x.softmax(0)
            with self.assertRaisesRegex(KeyError, "mine"), use() as lost:
                x.softmax(0)
                raise KeyError("mine")
            x.softmax(0)
        x.softmax(0)
        self.assertEqual((outer, inner, lost), ({"exp": 1, "softmax": 1}, {"softmax": 1}, {"softmax": 1}))
        self.assertEqual(str(torch.library.get_kernel("aten::_softmax", "CPU")), str(original))
        with self.assertRaisesRegex(ValueError, "no 'gulp'"), use("gulp"):
            pass

    def test_threads(self):
        x, seen = torch.randn(64, 64), []
        inside, outside = threading.Barrier(2, timeout=60), threading.Barrier(2, timeout=60)

        def other():
            inside.wait()  # the block of the first thread is not of this one
            with_none = x.softmax(0)
            with use() as calls:
                own = x.softmax(0)
            seen.append((calls["softmax"], torch.allclose(own, with_none)))
            outside.wait()
        thread = threading.Thread(target=other)
        thread.start()
        with use() as calls:
            inside.wait()
            outside.wait()
        thread.join()
        self.assertEqual((seen, calls), ([(1, True)], {}))

        def loop(failures):
            for _ in range(50):
                with use("exp", ) as calls:
                    x.exp()
                if calls["exp"] != 1:
                    failures.append(calls)
        failures = []
        threads = [threading.Thread(target=loop, args=(failures,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])

    def test_compiled(self):
        torch._dynamo.reset()
        x = torch.randn(4, 8)
        compiled = torch.compile(lambda x: x.softmax(0) + 1, fullgraph=True, backend="aot_eager")
        with use() as calls:
            torch.testing.assert_close(compiled(x), x.softmax(0) + 1)
        self.assertGreater(calls["softmax"], 0)

    @unittest.skipUnless(op_db, "torch's samples are not there (pip install expecttest)")
    def test_samples(self):
        """Whatever torch's samples are: values as without, in the same dtypes and layouts."""
        names, used = {name.partition(".")[0].strip("_") for name in KERNELS}, set()
        tolerance = {torch.float32: 1e-5, torch.float64: 1e-12, torch.bfloat16: 2**-6, torch.float16: 2**-9}
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int64, torch.bool):
            for info in op_db:
                name = info.name.removeprefix("nn.functional.").removeprefix("special.").replace("linalg.", "linalg_")
                if name not in names or not info.supports_dtype(dtype, "cpu"):
                    continue
                for sample in info.sample_inputs("cpu", dtype):
                    with self.subTest(name, dtype=dtype, input=sample.input.shape, args=sample.args, named=sample.kwargs):
                        want = info.op(sample.input, *sample.args, **sample.kwargs)
                        with use() as calls:
                            got = info.op(sample.input, *sample.args, **sample.kwargs)
                        used.update(calls)
                        got, want = ((r,) if isinstance(r, torch.Tensor) else r for r in (got, want))
                        for a, b in zip(got, want, strict=True):
                            bound = tolerance.get(b.dtype, 0)
                            if name in ("fmod", "remainder") and a.dtype == b.dtype and not torch.allclose(a, b, bound, bound, True):
                                # Some of torch's give NaN where the quotient is too large: float64 shows what is right.
                                b = info.op(*doubled((sample.input, *sample.args)), **doubled(sample.kwargs)).to(b.dtype)
                            torch.testing.assert_close(a, b, rtol=bound, atol=bound, equal_nan=True)
        self.assertEqual(sorted(names - used - {"clamp", "pow"}), [])  # of which the samples have tensors alone


if __name__ == "__main__":
    unittest.main()
