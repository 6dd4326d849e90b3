"""Lists of the library (tileops_execute_list) through ctypes, on the memory of torch tensors."""

import ctypes as c
import functools

import torch

from bench.common.library import DTYPES, I32, I64, DLDataType, DLDevice
from bench.expressions.library import ExecuteArgs, Expression, PlanDesc, TensorDesc, number

OPEN, LIST = -1, 16  # TILEOPS_OPEN, TILEOPS_PLAN_LIST


class PlanFacts(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("phases", c.c_uint32),
        ("parts", c.c_uint32),
        ("way", c.c_uint32),
        ("workspace_bytes", c.c_uint64),
        ("bytes_moved", c.c_uint64),
    ]


def descriptor(tensor, is_open):
    code, bits = DTYPES[tensor.dtype]
    return TensorDesc(DLDataType(code, bits, 1), 1, (I64 * 1)(OPEN if is_open else tensor.numel()), None)


class ListPlan:
    """A text of flat tensors, whose operands are open where `is_open` says so, on items of (inputs, outputs) each. `run` is a call
    with all of them, `run_each` one for each; both take addresses, as engines do."""

    def __init__(self, library, text, is_open, items, flags=LIST, scalars=None):
        self.library, self.lib = library, library.c
        expression = Expression(library, text)
        inputs, outputs = items[0]
        descs = [descriptor(t, o) for t, o in zip((*inputs, *outputs), is_open, strict=True)]
        ins, outs = (TensorDesc * len(inputs))(*descs[: len(inputs)]), (TensorDesc * len(outputs))(*descs[len(inputs) :])
        desc = PlanDesc()
        desc.struct_size, desc.num_inputs, desc.num_outputs, desc.flags = c.sizeof(PlanDesc), len(inputs), len(outputs), flags
        desc.device = DLDevice(2, inputs[0].device.index) if inputs[0].is_cuda else DLDevice(1, 0)
        desc.inputs, desc.outputs, desc.expr = c.cast(ins, c.c_void_p), c.cast(outs, c.c_void_p), expression.handle
        self.handle = c.c_void_p()
        library.check(self.lib.tileops_plan_create(library.context, c.byref(desc), c.byref(self.handle)))
        given = [number(scalars[name]) if scalars and name in scalars else number(0.0) for name in expression.scalars]
        self.numbers = (type(number(0)) * max(len(given), 1))(*given)
        self.keep = []
        self.args = (ExecuteArgs * len(items))(*[self.item(i, o, len(given) if scalars else 0) for i, o in items])
        self.run = functools.partial(self.lib.tileops_execute_list, self.handle, self.args, c.c_size_t(len(items)))
        expression.close()

    def item(self, inputs, outputs, num_scalars):
        a = ExecuteArgs()
        a.struct_size, a.num_inputs, a.num_outputs, a.num_scalars = c.sizeof(ExecuteArgs), len(inputs), len(outputs), num_scalars
        pointers = [(c.c_void_p * len(list_))(*[t.data_ptr() for t in list_]) for list_ in (inputs, outputs)]
        extent = (I64 * 1)(inputs[0].numel())
        a.input_ptrs, a.output_ptrs, a.extents = (c.cast(p, c.c_void_p) for p in (*pointers, extent))
        a.scalars, a.num_extents = c.cast(self.numbers, c.c_void_p), 1
        self.keep.append((pointers, extent))
        self.add_workspace(a, extent, inputs[0].device)
        return a

    def add_workspace(self, args, extent, device):
        facts = PlanFacts(c.sizeof(PlanFacts))
        self.library.check(self.lib.tileops_plan_at(self.handle, extent, c.c_size_t(1), c.byref(facts)))
        if facts.workspace_bytes:
            memory = torch.empty(facts.workspace_bytes + 255, dtype=torch.uint8, device=device)
            args.workspace, args.workspace_bytes = (memory.data_ptr() + 255) // 256 * 256, facts.workspace_bytes
            self.keep.append(memory)

    def run_each(self):
        size = c.sizeof(ExecuteArgs)
        begin = c.addressof(self.args)
        execute = self.lib.tileops_execute_with
        for i in range(len(self.args)):
            execute(self.handle, c.c_void_p(begin + i * size))

    def on(self, stream):
        for a in self.args:
            a.stream = stream
        return self

    def close(self):
        self.lib.tileops_plan_destroy(self.handle)
