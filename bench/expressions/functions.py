"""The chains of bench/expressions/chains.py that are longer than a line, as programs of torch and of MLX say them."""

import math

import torch
import torch.nn.functional as F

LR, B1, B2, EPS, WD, STEP = 1e-3, 0.9, 0.999, 1e-8, 0.01, 10


def adamw(p, g, m, v):
    n = torch.lerp(m, g, 1 - B1)
    q = v * B2 + g * g * (1 - B2)
    return p * (1 - LR * WD) - LR / (1 - B1**STEP) * n / (torch.sqrt(q / (1 - B2**STEP)) + EPS), n, q


def adamw_mlx(mx, p, g, m, v):
    n = m + (1 - B1) * (g - m)
    q = v * B2 + g * g * (1 - B2)
    return p * (1 - LR * WD) - LR / (1 - B1**STEP) * n / (mx.sqrt(q / (1 - B2**STEP)) + EPS), n, q


def swiglu_clamped(x):
    gate = torch.clamp(x[..., 0::2], max=7.0)
    up = torch.clamp(x[..., 1::2], -7.0, 7.0)
    return gate * torch.sigmoid(1.702 * gate) * (up + 1)


def swiglu_clamped_mlx(mx, x):
    gate = mx.minimum(x[..., 0::2], 7.0)
    up = mx.clip(x[..., 1::2], -7.0, 7.0)
    return gate * mx.sigmoid(1.702 * gate) * (up + 1)


def bias_gelu_dropout_residual(x, bias, residual):
    y, mask = torch.native_dropout(F.gelu(x + bias), 0.1, True)
    return y + residual, mask


def dropped(operands, ours):
    """What must come out beside the mask that came out, if the mask keeps as many as it should."""
    x, bias, residual = operands
    keep = ours[1]
    share = keep.double().mean().item()
    if abs(share - 0.9) > 0.01 + 3 / math.sqrt(keep.numel()):
        raise RuntimeError(f"dropout keeps {share:.3f} of the elements, not 0.9")
    return torch.where(keep, F.gelu(x + bias) / 0.9, torch.zeros((), dtype=x.dtype)) + residual, keep


def causal_masked(x):
    side = x.shape[-1]
    at = torch.arange(side, device=x.device)
    return torch.where(at <= at[:, None], x * 0.125, float("-inf"))


def causal_masked_mlx(mx, x):
    at = mx.arange(x.shape[-1])
    return mx.where(at <= at[:, None], x * 0.125, -math.inf)


def rope_halves(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def rope_halves_mlx(mx, x, cos, sin):
    a, b = mx.split(x, 2, -1)
    return mx.concatenate((a * cos - b * sin, b * cos + a * sin), -1)


def snake(x, alpha):
    s = torch.sin(alpha * x)
    return x + s * s / alpha


def snake_mlx(mx, x, alpha):
    s = mx.sin(alpha * x)
    return x + s * s / alpha


def swiglu_packed(x):
    gate, up = x.chunk(2, -1)
    return F.silu(gate) * up


def swiglu_packed_mlx(mx, x):
    gate, up = mx.split(x, 2, -1)
    return gate * mx.sigmoid(gate) * up


def silu_and_mul_backward(grad, gate, value):
    return torch.ops.aten.silu_backward(grad * value, gate), grad * F.silu(gate)


def silu_and_mul_backward_mlx(mx, grad, gate, value):
    s = mx.sigmoid(gate)
    return grad * value * (s * (1 + gate * (1 - s))), grad * gate * s


def erf_gelu_mlx(mx, h):
    return h * (0.5 + 0.5 * mx.erf(h * math.sqrt(0.5)))
