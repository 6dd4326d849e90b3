"""Tensors on a GPU: the current stream, torch's allocator, graphs, several devices. Skipped where torch has no CUDA."""

import unittest

import torch

import libtileops as to
from libtileops.torch import op

NORM = "(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w"


@unittest.skipUnless(torch.cuda.is_available(), "torch has no CUDA here")
class Cuda(unittest.TestCase):
    def operands(self, rows=64, n=1024, dtype=torch.bfloat16):
        torch.manual_seed(0)
        return torch.randn(rows, n, device="cuda", dtype=dtype), torch.rand(n, device="cuda", dtype=dtype)

    def test_direct_and_operator(self):
        x, w = self.operands()
        want = to.expr(NORM)(x.cpu(), w.cpu())
        for got in (to.expr(NORM)(x, w), op(NORM)(x, w), to.expr(NORM)(x, w, out=torch.empty_like(x))):
            self.assertEqual(got.device, x.device)
            self.assertTrue(torch.equal(got.cpu(), want))
        self.assertTrue(torch.equal(to.add(x, 2).cpu(), to.add(x.cpu(), 2)))
        self.assertTrue(torch.equal(to.plan(to.softmax, x)(x).cpu(), to.softmax(x.cpu())))

    def test_lists(self):
        """More elements than a launch has, of two dtypes, some of which are empty."""
        x = [torch.randn(i * 7 % 300, device="cuda", dtype=(torch.float32, torch.bfloat16)[i % 2]) for i in range(1000)]
        want = [to.add(a, a) for a in x]
        for got in (to.add.foreach(x, x), to.add.foreach(x, x, out=x)):
            self.assertTrue(all(torch.equal(a, b) for a, b in zip(got, want)))

    def test_any_batch(self):
        """Batches that were not seen, by one plan, with the bits of a plan for each; of texts that cannot have one as well."""
        for text in (NORM, "(x, w) -> gelu(x) * w", "(x, w) -> sum(x * w, axis = -2), amax(x)", "(x, w) -> cumsum(x, axis = -2) * w"):
            f, closed = op(text, grad=()), to.expr(text)
            for n in (5, 6, 131, 3, 1, 0, 64, 2, 1, 4097, 7):
                given = self.operands(n, 256)
                for got in (f(*given), closed(*given)):
                    want = to.plan(closed, *given)(*given)
                    for a, b in zip(*(y if isinstance(y, tuple) else (y,) for y in (got, want)), strict=True):
                        self.assertEqual((a.dtype, a.shape), (b.dtype, b.shape))
                        self.assertTrue(torch.equal(a, b), (text, n))

    def test_current_stream(self):
        """What is enqueued on a side stream behind a long kernel reads that kernel's results."""
        x, w = self.operands(4096, 4096, torch.float32)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for call in (to.expr(NORM), op(NORM)):
                busy = x
                for _ in range(20):
                    busy = busy @ x * 1e-3
                got = call(busy, w)
                stream.synchronize()
                torch.testing.assert_close(got, torch.nn.functional.rms_norm(busy, (4096,), w, 1e-6))

    def test_workspace_is_torchs(self):
        logits = torch.randn(256, 50_000, device="cuda")
        labels = torch.randint(0, 50_000, (256, 1), device="cuda")
        for call in (to.cross_entropy_mean, op(to.cross_entropy_mean, grad=())):
            got = call(logits, labels)
            torch.testing.assert_close(got.reshape(()), torch.nn.functional.cross_entropy(logits, labels[:, 0]))

    def test_graph(self):
        x, w = self.operands()
        norm = op(NORM)
        norm(x, w)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            y = norm(x, w)
        x.mul_(3)
        graph.replay()
        self.assertTrue(torch.equal(y, norm(x, w)))

    def test_gradients(self):
        x, w = (t.double().requires_grad_() for t in self.operands(3, 8, torch.float32))
        self.assertTrue(torch.autograd.gradcheck(op(NORM), (x, w), nondet_tol=0.0))

    def test_compiled(self):
        norm = op(NORM)
        x, w = self.operands(dtype=torch.float32)
        f = torch.compile(lambda x, w: torch.relu(norm(x * 2, w)), fullgraph=True, dynamic=True)
        for rows in (64, 32, 48):
            torch.testing.assert_close(f(x[:rows], w), torch.relu(norm(x[:rows] * 2, w)))

    @unittest.skipUnless(torch.cuda.device_count() > 1, "one device")
    def test_second_device(self):
        x, w = (t.to("cuda:1") for t in self.operands())
        for got in (to.expr(NORM)(x, w), op(NORM)(x, w)):
            self.assertEqual(got.device.index, 1)
            self.assertTrue(torch.equal(got.cpu(), to.expr(NORM)(x.cpu(), w.cpu())))

    def test_layouts(self):
        x = torch.randn(2, 8, 5, 7, device="cuda").contiguous(memory_format=torch.channels_last)
        for text in ("(x) -> relu(x) * 2", "(x) -> x - mean(x, axis = -3)"):
            y = op(text)(x)
            self.assertEqual(y.stride(), x.stride())
            self.assertTrue(torch.equal(y, to.expr(text)(x)))

    def test_use(self):
        x, w = self.operands(dtype=torch.float32)
        with to.torch.use() as calls:
            y = torch.nn.functional.layer_norm(x, (1024,), w, w).softmax(-1)
        self.assertEqual((calls["native_layer_norm"], calls["softmax"]), (1, 1))
        torch.testing.assert_close(y, torch.nn.functional.layer_norm(x, (1024,), w, w).softmax(-1))

    def test_vmap(self):
        x, w = self.operands(dtype=torch.float32)
        norm = op(NORM)
        torch.testing.assert_close(torch.func.vmap(norm, (0, None))(x, w), norm(x, w))

    def test_tvm_ffi(self):
        try:
            import tvm_ffi
        except ImportError:
            self.skipTest("no apache-tvm-ffi")
        x, w = self.operands()
        y = torch.empty_like(x)
        with tvm_ffi.use_torch_stream():
            to.tvm_ffi.expr(NORM)(*map(tvm_ffi.from_dlpack, (y, x, w)))
        self.assertTrue(torch.equal(y, to.expr(NORM)(x, w)))


if __name__ == "__main__":
    unittest.main()
