"""Texts with reductions that are timed on the CPU, what torch calls the same, and in which shapes."""

import dataclasses

import torch
import torch.nn.functional as F

from bench.rows import functions as f
from bench.rows.cases import NAMED
from bench.rows.tensors import operands

GROUPS, CHANNELS, KEYS = 32, 4, 64  # of group_norm; rows of a mask


def of_rows(rows, columns):
    return rows, columns


def of_groups(rows, columns):
    """Batch, groups, channels of a group, places."""
    groups = max(1, min(GROUPS, rows // CHANNELS))
    return max(1, rows // CHANNELS // groups), groups, min(CHANNELS, rows), columns


def of_images(rows, columns):
    """Batch, channels, places."""
    batch = max(1, min(8, rows // 4))
    return batch, rows // batch, columns


def of_heads(rows, columns):
    keys = min(KEYS, rows)
    return rows // keys, keys, columns


def softmax_causal(x):
    past = torch.ones(x.shape, dtype=torch.bool).tril()
    return lambda x: torch.softmax(torch.where(past, x, -torch.inf), -1)


def var_mean(x):
    return torch.var_mean(x, (0, 2), correction=0, keepdim=True)


@dataclasses.dataclass
class Case:
    name: str
    text: str
    torch: object  # a function; of causal masks what makes one, once
    operands: str  # a letter each: bench/rows/tensors.py
    shape: object = of_rows
    makes_function: bool = False

    def tensors(self, rows, columns, dtype):
        return operands(self.operands, self.shape(rows, columns), dtype)

    def function(self, tensors):
        return self.torch(*tensors) if self.makes_function else self.torch


CASES = [
    Case("rms_norm", NAMED["rms_norm"], f.rms_norm, "rw"),
    Case("layer_norm", NAMED["layer_norm"], f.layer_norm, "rww"),
    Case("softmax", NAMED["softmax"], lambda x: torch.softmax(x, -1), "r"),
    Case("add_rms_norm", NAMED["add_rms_norm"], f.add_rms_norm, "rrw"),
    Case("token_fp8", NAMED["fp8_token"], f.token_fp8, "r"),
    Case("group128_fp8", NAMED["fp8_group"], f.group_fp8, "r"),
    Case("softmax_masked", NAMED["softmax_masked"], lambda x, m: torch.softmax(x + m, -1), "rm", of_heads),
    Case("softmax_causal", NAMED["softmax_causal"], softmax_causal, "r", makes_function=True),
    Case("log_softmax", NAMED["log_softmax"], lambda x: torch.log_softmax(x, -1), "r"),
    Case("cross_entropy", NAMED["cross_entropy"], f.cross_entropy, "rl"),
    Case("l2_norm", NAMED["l2_norm"], lambda x: F.normalize(x, dim=-1), "r"),
    Case("group_norm", NAMED["group_norm"], f.group_norm, "rcc", of_groups),
    Case("rms_norm_backward", NAMED["rms_norm_backward"], f.rms_norm_backward, "rrw"),
    Case("layer_norm_backward", NAMED["layer_norm_backward"], f.layer_norm_backward, "rrw"),
    Case("softmax_backward", NAMED["softmax_backward"], f.softmax_backward, "rp"),
    Case("sum_rows", "(x) -> sum(x)", lambda x: x.sum(-1, keepdim=True), "r"),
    Case("mean_rows", "(x) -> mean(x)", lambda x: x.mean(-1, keepdim=True), "r"),
    Case("sum_all", "(x) -> sum(x, axis = all)", lambda x: x.sum().view(1, 1), "r"),
    Case("sum_columns", "(x) -> sum(x, axis = -2)", lambda x: x.sum(0, keepdim=True), "r"),
    Case("amax_rows", "(x) -> amax(x)", lambda x: x.amax(-1, keepdim=True), "r"),
    Case("argmax_rows", "(x) -> argmax(x)", lambda x: x.argmax(-1, keepdim=True), "r"),
    Case("var_rows", "(x) -> var(x)", lambda x: x.var(-1, correction=0, keepdim=True), "r"),
    Case("statistics", "(x) -> var(x, axis = (-3, -1)), mean(x, axis = (-3, -1))", var_mean, "r", of_images),
    Case("cumsum", NAMED["cumsum"], lambda x: x.cumsum(-1), "r"),
]
SOME = CASES[:3]  # over row lengths
DECODE = CASES[:5]
LENGTHS = (128, 1024, 4096, 16384, 262144)  # of 16 Mi elements
MEMORY, CACHE = (4096, 4096), (16, 4096)


def plan_of(threads, first):
    """(case, rows, columns, threads) of a run: what is large with all threads, what lies in a core's cache with one."""
    found = [(case, *CACHE, 1) for case in CASES] if first else []
    for rows in (1, 32) if first else ():
        found += [(case, rows, 4096, 1) for case in DECODE]
    found += [(case, *MEMORY, threads) for case in CASES]
    for columns in LENGTHS:
        found += [(case, MEMORY[0] * MEMORY[1] // columns, columns, threads) for case in SOME if columns != MEMORY[1]]
    return found
