"""Operators on tensors that are cut over several devices: rules against texts that are computed in parts, and
two processes: on the CPU with gloo, and on two GPUs with NCCL where there are two."""

import pathlib
import sys
import tempfile
import unittest

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor

import libtileops as to
from libtileops.torch import op, sharding

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tools"))
import functions  # noqa: E402
import named_shapes  # noqa: E402
import test_torch_decompose  # noqa: E402

NORM = "(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w"


class Mesh:
    def size(self):
        return 2


class Spec:
    """What a rule sees of an operand."""

    def __init__(self, tensor):
        self.shape, self.tensor_meta, self.mesh, self.placements = tensor.shape, tensor, Mesh(), ()


def parts(tensor, placement):
    return tensor.chunk(2, placement.dim) if placement.is_shard() else (tensor, tensor)


def whole(pieces, placement):
    a, b = pieces
    if placement.is_shard():
        return torch.cat(pieces, placement.dim)
    if placement.is_partial():
        return {"sum": a + b, "avg": (a + b) / 2, "max": torch.maximum(a, b), "min": torch.minimum(a, b)}[placement.reduce_op]
    torch.testing.assert_close(a, b, rtol=0, atol=0, equal_nan=True)
    return a


class Rules(unittest.TestCase):
    def compare(self, expr, operands):
        """Each sharding that a rule allows, on two parts, against the whole; how many there are, and how many places are refused."""
        known, refused = sharding.shardings(expr, [Spec(x) for x in operands])
        want = expr(*operands)
        want = want if isinstance(want, tuple) else (want,)
        for results, placements in known:
            if any(p.is_shard() and x.shape[p.dim] < 2 for x, p in zip(operands, placements)):
                continue
            with self.subTest(expr.text, results=results, operands=placements):
                pieces = [parts(x, p) for x, p in zip(operands, placements)]
                made = [expr(*(p[k] for p in pieces)) for k in (0, 1)]
                made = [r if isinstance(r, tuple) else (r,) for r in made]
                for k, placement in enumerate(results):
                    got = whole([made[0][k], made[1][k]], placement)
                    bound = 1e-12 if want[k].dtype == torch.float64 else 1e-5 if want[k].dtype == torch.float32 else 0
                    torch.testing.assert_close(got, want[k], rtol=bound, atol=bound, equal_nan=True)
        return len(known) - 1, refused

    def test_named_texts(self):
        torch.manual_seed(0)
        labels, cut, gradients = named_shapes.dtypes(), 0, 0
        for name, text, _ in (row for file in functions.named_expressions().values() for row in file):
            expr = getattr(to, name)
            operands = test_torch_decompose.Values.operands(None, name, text, labels)
            if operands is None or any(node in ("scatter", "store_if") for node, *_ in expr._nodes[0]):
                continue
            try:
                results = expr._infer(*((x.dtype, tuple(x.shape)) for x in operands))
            except to.Error:
                continue
            if any("float4" in dtype or "float8" in dtype for dtype, _ in results):
                continue
            cut += self.compare(expr, operands)[0]
            floats = [n for n, x in zip(expr.operands, operands) if x.dtype == torch.float64]
            if not floats:
                continue
            try:
                gradient = expr.gradient(*floats)
                grads = [torch.randn(shape, dtype=getattr(torch, dtype)) if dtype.startswith("float") else torch.zeros(shape, dtype=getattr(torch, dtype))
                         for dtype, shape in results]
                gradient._infer(*((x.dtype, tuple(x.shape)) for x in (*operands, *grads)))
            except to.Error:
                continue
            gradients += self.compare(gradient, [*operands, *grads])[0]
        self.assertGreater(cut, 75)
        self.assertGreater(gradients, 60)

    def test_results(self):
        x, w, i = torch.randn(4, 6, dtype=torch.float64), torch.randn(6, dtype=torch.float64), torch.tensor([[1], [0], [3], [2]])
        rows, columns = Shard(0), Shard(1)
        for text, operands, allowed, refused in (
                ("(x) -> exp(x)", (x,), {(rows, rows), (columns, columns)}, {}),
                ("(x, w) -> x * w", (x, w), {(rows, rows, Replicate()), (columns, columns, rows)}, {}),
                ("(x) -> x / sum(x)", (x,), {(rows, rows)}, {(0, 1): "div"}),
                ("(x) -> sum(x)", (x,), {(rows, rows), (Partial("sum"), columns)}, {}),
                ("(x) -> 3 * mean(x, axis = -2)", (x,), {(columns, columns), (Partial("avg"), rows)}, {}),
                ("(x) -> mean(x, axis = -2)", (x[:3],), {(columns, columns)}, {(0, 0): "mean"}),
                ("(x) -> sum(amax(x), axis = all)", (x,), {(Partial("sum"), rows)}, {(0, 1): "sum"}),
                ("(x) -> amax(x, axis = -2)", (x,), {(columns, columns), (Partial("max"), rows)}, {}),
                ("(x) -> exp(sum(x))", (x,), {(rows, rows)}, {(0, 1): "exp"}),
                ("(x) -> cumsum(x)", (x,), {(rows, rows)}, {(0, 1): "cumsum"}),
                ("(x) -> index(x, -1) * x", (x,), {(rows, rows)}, {(0, 1): "index"}),
                ("(x) -> chunk(x, 0, 2)", (x,), {(rows, rows)}, {(0, 1): "chunk"}),
                ("(x) -> x / spread(sum(x, group = 2), x, group = 2)", (x,), {(rows, rows)}, {(0, 1): "sum"}),
                ("(x, i) -> gather(x, i, axis = -2)", (x, i), {(columns, columns, Replicate()), (rows, Replicate(), rows)}, {(0, 0): "gather"})):
            with self.subTest(text):
                expr = to.expr(text)
                known, why = sharding.shardings(expr, [Spec(t) for t in operands])
                self.assertEqual({(*results, *placements) for results, placements in known[1:]}, allowed)
                self.assertEqual(why, refused)
                self.compare(expr, operands)


def process(rank, file, device):
    torch.set_num_threads(1)
    if device == "cuda":
        torch.cuda.set_device(rank)
    dist.init_process_group({"cpu": "gloo", "cuda": "nccl"}[device], init_method=f"file://{file}", rank=rank, world_size=2)
    mesh = dist.device_mesh.init_device_mesh(device, (2,))
    torch.manual_seed(0)
    x, w = torch.randn(4, 6, dtype=torch.float64).to(device), torch.randn(6, dtype=torch.float64).to(device)
    norm, columns = op(NORM), op("(x) -> sum(x * x, axis = -2)")

    # Rows over the batch: the result has its rows, the weight's gradient is a sum of parts.
    a = distribute_tensor(x, mesh, [Shard(0)]).requires_grad_()
    b = distribute_tensor(w, mesh, [Replicate()]).requires_grad_()
    y = norm(a, b, eps=1e-5)
    assert isinstance(y, DTensor) and y.placements == (Shard(0),) and y.to_local().shape == (2, 6), y
    (y * y).sum().backward()
    p, q = x.clone().requires_grad_(), w.clone().requires_grad_()
    z = norm(p, q, eps=1e-5)
    (z * z).sum().backward()
    for got, want in ((y, z), (a.grad, p.grad), (b.grad, q.grad)):
        torch.testing.assert_close(got.full_tensor(), want)

    # A sum over the cut axis is one of parts, and is whole when it is asked for.
    s = columns(a.detach())
    assert s.placements == (Partial("sum"),), s.placements
    torch.testing.assert_close(s.full_tensor(), (x * x).sum(0, keepdim=True))

    # What cannot be computed on parts is refused by name.
    try:
        norm(distribute_tensor(x, mesh, [Shard(1)]), b.detach())
        raise AssertionError("not refused")
    except (RuntimeError, ValueError) as error:
        assert "x is sharded along dimension 1, where" in str(error) and "redistribute" in str(error), error

    # The same for operators that torch.compile has in its graphs.
    compiled = torch.compile(lambda x, w: norm(x, w) * 2, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(a.detach(), b.detach()).full_tensor(), norm(x, w) * 2)
    dist.destroy_process_group()


class Processes(unittest.TestCase):
    def two(self, device):
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(process, args=(f"{folder}/meeting", device), nprocs=2)

    @unittest.skipUnless(dist.is_available() and dist.is_gloo_available(), "torch has no gloo")
    def test_two(self):
        self.two("cpu")

    @unittest.skipUnless(torch.cuda.device_count() > 1 and dist.is_nccl_available(), "torch has no two CUDA devices, or no NCCL")
    def test_two_gpus(self):
        self.two("cuda")


if __name__ == "__main__":
    unittest.main()
