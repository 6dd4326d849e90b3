"""What torch calls the texts with reductions that are timed (bench/rows/cases.py, bench/rows/cpu_cases.py): a few functions over float32,
rounded as the texts say, for eager and for torch.compile."""

import torch
import torch.nn.functional as F

from bench.rows.tensors import tuple_of

E4M3 = torch.float8_e4m3fn


def in_dtype(function):
    """Of a function that computes in float32: its first result has its first operand's dtype."""

    def run(*tensors):
        found = tuple_of(function(*tensors))
        first = found[0].to(tensors[0].dtype)
        return (first, *found[1:]) if len(found) > 1 else first

    return run


def rms_norm(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)


def layer_norm(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b, 1e-5)


def group_norm(x, w, b):
    """x of (batch, groups, channels of a group, places)."""
    groups = x.shape[1]
    return F.group_norm(x.view(x.shape[0], -1, x.shape[-1]), groups, w.view(-1), b.view(-1), 1e-5).view(x.shape)


def normed(x):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)


def add_rms_norm(x, r, w):
    h = x.float() + r.float()
    return (normed(h) * w).to(x.dtype), h.to(x.dtype)


def quantised(n, shape, least=1e-10):
    """Codes and scales of the groups that `shape` has as its last extent."""
    n = n.float()
    s = n.abs().view(shape).amax(-1, keepdim=True).clamp(min=least) / 448
    return (n.view(shape) / s).clamp(-448, 448).to(E4M3).view(n.shape), s.view(*n.shape[:-1], -1)


def token_fp8(x):
    return quantised(x, x.shape)


def group_fp8(x):
    return quantised(x, (*x.shape[:-1], -1, 128))


def mxfp8(x):
    """The scale is the amax / 448, rounded up to a power of two, of which the bytes are the exponent."""
    b = x.float().view(*x.shape[:-1], -1, 32)
    a = b.abs().amax(-1, keepdim=True) / 448
    exponent = (a.view(torch.int32) + 0x7FFFFF) >> 23
    scale = torch.where(exponent == 0, 2.0**-127, (exponent << 23).view(torch.float32))
    return (b / scale).to(E4M3).view(x.shape), exponent.to(torch.uint8).squeeze(-1)


def swiglu_group_fp8(x):
    gate, up = x.float().chunk(2, -1)
    return group_fp8(F.silu(gate) * up)


def add_rms_norm_fp8(x, r, w, scale):
    h = (x.float() + r.float()).to(x.dtype)
    n = (normed(h.float()).to(x.dtype).float() * w.float()).to(x.dtype).float()
    return (n * (1 / scale)).clamp(-448, 448).to(E4M3), h


def add_rms_norm_fp8_token(x, r, w):
    h = x.float() + r.float()
    n = (normed(h).to(x.dtype).float() * w.float()).to(x.dtype).float()
    return *quantised(n, n.shape), h.to(x.dtype)


def qk_norm_rope(x, w, cos, sin, position):
    n = normed(x.float()) * w.float()
    c, s = cos[position.view(-1)], sin[position.view(-1)]
    a, b = n.chunk(2, -1)
    return torch.cat([a * c - b * s, b * c + a * s], -1).to(x.dtype)


def cross_entropy(x, label):
    return F.cross_entropy(x, label.view(-1), reduction="none").view(-1, 1)


@in_dtype
def rms_norm_backward(g, x, w):
    g, x = g.float(), x.float()
    r = torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6)
    n, u = x * r, g * w.float()
    return r * (u - n * (u * n).mean(-1, keepdim=True)), (g * n).sum(0).to(w.dtype)


@in_dtype
def rms_norm_backward_given_rstd(g, x, w, r):
    g, n = g.float(), x.float() * r
    u = g * w.float()
    return r * (u - n * (u * n).mean(-1, keepdim=True)), (g * n).sum(0).to(w.dtype)


@in_dtype
def layer_norm_backward(g, x, w):
    g, x = g.float(), x.float()
    d = x - x.mean(-1, keepdim=True)
    r = torch.rsqrt((d * d).mean(-1, keepdim=True) + 1e-5)
    n, u = d * r, g * w.float()
    dx = r * (u - u.mean(-1, keepdim=True) - n * (u * n).mean(-1, keepdim=True))
    return dx, (g * n).sum(0).to(w.dtype), g.sum(0).to(w.dtype)


@in_dtype
def gelu_bias_backward(g, x, b):
    h = x.float() + b.float()
    s = torch.sigmoid(1.702 * h)
    d = g.float() * (s + 1.702 * h * s * (1 - s))
    return d, d.sum(0).to(b.dtype)


@in_dtype
def softmax_backward(g, y):
    g, y = g.float(), y.float()
    return y * (g - (g * y).sum(-1, keepdim=True))


def batch_statistics(x):
    """Of channels, of x of (batch, channels, places); the variance without bias."""
    return torch.var_mean(x.float(), (0, 2), correction=1, keepdim=True)


@in_dtype
def sum_of_squares(x):
    return x.float().square().sum().view([1] * x.dim())


@in_dtype
def cumsum(x):
    """In float32: scans of bfloat16 may round each sum."""
    return x.cumsum(-1, dtype=torch.float32)
