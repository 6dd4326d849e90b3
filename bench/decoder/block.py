"""The decoder block of demo/model in torch: what bench/decoder/peer.py times beside it.

Linear layers are fp8 products with a scale for each token and each row of the weight (torch._scaled_mm). torch has no
products of batches of fp8 matrices, so that attention is in bfloat16, with the cache likewise: `explicit` as products and
a softmax, else by scaled_dot_product_attention, which never writes the scores to memory."""

import torch
import torch.nn.functional as F

EPS = 1e-6


def rms(x):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + EPS)


def quantised(x):
    scale = x.abs().amax(-1, keepdim=True).clamp(min=1e-10) / 448
    return (x / scale).to(torch.float8_e4m3fn), scale


def linear(x, codes, scales):
    """x is of float32; the product of bfloat16."""
    q, s = quantised(x)
    return torch._scaled_mm(q, codes.t(), scale_a=s, scale_b=scales.view(1, -1), out_dtype=torch.bfloat16, use_fast_accum=True)


def rotated(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Block:
    """Weights by the names of demo/model/decoder.c, on the device; the cache is of (G, S, d)."""

    def __init__(self, weights, heads, cache_heads, head_dim, capacity, explicit):
        self.w, self.explicit = weights, explicit
        self.heads, self.cache_heads, self.dim = heads, cache_heads, head_dim
        shape = (cache_heads, capacity, head_dim)
        self.keys, self.values = (torch.zeros(shape, dtype=torch.bfloat16, device=weights["qkv"].device) for _ in range(2))

    def attention(self, q, pos):
        """q of (H, T, d) in bfloat16 -> (T, H * d)."""
        tokens, capacity = q.shape[1], self.keys.shape[1]
        seen = torch.arange(capacity, device=q.device) <= pos.view(-1, 1)
        if not self.explicit:
            mixed = F.scaled_dot_product_attention(q[None], self.keys[None], self.values[None], attn_mask=seen, enable_gqa=True)[0]
            return mixed.transpose(0, 1).reshape(tokens, -1)
        grouped = q.view(self.cache_heads, -1, self.dim)
        scores = torch.bmm(grouped, self.keys.transpose(1, 2)).view(self.heads, tokens, capacity).float()
        scores = torch.where(seen, scores * self.dim**-0.5, -torch.inf)
        weights = torch.softmax(scores, -1).to(torch.bfloat16).view(self.cache_heads, -1, capacity)
        mixed = torch.bmm(weights, self.values)
        return mixed.view(self.heads, tokens, self.dim).transpose(0, 1).reshape(tokens, -1)

    def __call__(self, x, pos):
        w, tokens = self.w, x.shape[0]
        qkv = linear(rms(x.float()) * w["norm"], w["qkv"], w["qkv_s"]).view(tokens, -1, self.dim)
        q, k, v = qkv.split([self.heads, self.cache_heads, self.cache_heads], 1)
        cos, sin = w["cos"][pos], w["sin"][pos]
        q = rotated(rms(q.float()) * w["query_norm"], cos, sin).to(torch.bfloat16).transpose(0, 1).contiguous()
        k = rotated(rms(k.float()) * w["key_norm"], cos, sin).to(torch.bfloat16)
        self.keys.index_copy_(1, pos, k.transpose(0, 1))
        self.values.index_copy_(1, pos, v.transpose(0, 1))
        attended = self.attention(q, pos)
        h = linear(attended.float(), w["out"], w["out_s"]).float() + x.float()
        gate, up = linear(rms(h) * w["mlp_norm"], w["gate_up"], w["gate_up_s"]).float().chunk(2, -1)
        down = linear(F.silu(gate) * up, w["down"], w["down_s"])
        return (down.float() + h).to(torch.bfloat16)
