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


if __name__ == "__main__":
    unittest.main()
