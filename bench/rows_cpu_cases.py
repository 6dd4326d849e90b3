"""Texts with reductions that are timed on the CPU, what torch calls the same, and in which shapes."""

import dataclasses

import torch
import torch.nn.functional as F

import rows_cases
from rows_cases import NAMED

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


def rms_norm(x, w):
    return F.rms_norm(x, (x.shape[-1],), w, 1e-6)


def layer_norm(x, w, b):
    return F.layer_norm(x, (x.shape[-1],), w, b, 1e-5)


def group_norm(x, w, b):
    groups = x.shape[1]
    return F.group_norm(x.view(x.shape[0], -1, x.shape[-1]), groups, w.view(-1), b.view(-1), 1e-5).view(x.shape)


def softmax_causal(x):
    past = torch.ones(x.shape, dtype=torch.bool).tril()
    return lambda x: torch.softmax(torch.where(past, x, -torch.inf), -1)


def var_mean(x):
    return torch.var_mean(x, (0, 2), correction=0, keepdim=True)


def in_dtype(function):
    """Of functions that compute in float32 and give their first result in bfloat16."""
    return lambda *tensors: _with_first(function(*tensors), tensors[0].dtype)


def _with_first(found, dtype):
    return (found[0].to(dtype), *found[1:]) if isinstance(found, tuple) else found.to(dtype)


@dataclasses.dataclass
class Case:
    name: str
    text: str
    torch: object  # a function; of causal masks what makes one, once
    operands: str  # a letter each: see `tensors`
    shape: object = of_rows
    makes_function: bool = False

    def tensors(self, rows, columns, dtype):
        shape = self.shape(rows, columns)
        made = {
            "r": lambda: torch.randn(shape),
            "w": lambda: torch.randn(shape[-1]),
            "c": lambda: torch.randn(*shape[1:-1], 1),
            "m": lambda: torch.randn(shape[1:]),
            "p": lambda: torch.softmax(torch.randn(shape), -1),
        }
        label = torch.randint(0, columns, (rows, 1))
        return [label if o == "l" else made[o]().to(dtype) for o in self.operands]

    def function(self, tensors):
        return self.torch(*tensors) if self.makes_function else self.torch


CASES = [
    Case("rms_norm", NAMED["rms_norm"], rms_norm, "rw"),
    Case("layer_norm", NAMED["layer_norm"], layer_norm, "rww"),
    Case("softmax", NAMED["softmax"], lambda x: torch.softmax(x, -1), "r"),
    Case("add_rms_norm", NAMED["add_rms_norm"], rows_cases.add_rms_norm, "rrw"),
    Case("token_fp8", NAMED["fp8_token"], lambda x: rows_cases.quantised(x, x.shape), "r"),
    Case("group128_fp8", NAMED["fp8_group"], lambda x: rows_cases.quantised(x, (*x.shape[:-1], -1, 128)), "r"),
    Case("softmax_masked", NAMED["softmax_masked"], lambda x, m: torch.softmax(x + m, -1), "rm", of_heads),
    Case("softmax_causal", NAMED["softmax_causal"], softmax_causal, "r", makes_function=True),
    Case("log_softmax", NAMED["log_softmax"], lambda x: torch.log_softmax(x, -1), "r"),
    Case("cross_entropy", NAMED["cross_entropy"],
         lambda x, label: F.cross_entropy(x, label.view(-1), reduction="none").view(-1, 1), "rl"),
    Case("l2_norm", NAMED["l2_norm"], lambda x: F.normalize(x, dim=-1), "r"),
    Case("group_norm", NAMED["group_norm"], group_norm, "rcc", of_groups),
    Case("rms_norm_backward", NAMED["rms_norm_backward"], in_dtype(rows_cases.rms_norm_backward), "rrw"),
    Case("layer_norm_backward", NAMED["layer_norm_backward"], in_dtype(rows_cases.layer_norm_backward), "rrw"),
    Case("softmax_backward", NAMED["softmax_backward"], in_dtype(rows_cases.softmax_backward), "rp"),
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
