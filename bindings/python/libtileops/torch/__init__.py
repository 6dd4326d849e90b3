"""Expressions as operators of torch: its dispatcher, autograd, torch.compile and export know them.

    norm = libtileops.torch.op("(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w")
    norm(x, w, eps=1e-5).sum().backward()
    torch.compile(lambda x, w: norm(x, w) * 2, fullgraph=True)(x, w)

An operator is one node of a graph; on CUDA it runs on the current stream, with memory of torch's. `libtileops.torch.ops` has
torch's own functions by their names; within `with libtileops.torch.use():` torch's operators themselves are computed here.
"""

from . import ops
from .aten import use
from .operators import op

__all__ = ["op", "ops", "use"]
