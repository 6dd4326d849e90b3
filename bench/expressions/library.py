"""Expressions of the library through ctypes, on the memory of torch tensors: beside bench/common/library.py, which has the
rest."""

import ctypes as c
import functools
import glob
import os
import re
import time

import torch

from bench.common.library import DTYPES, I32, I64, DLDataType, DLDevice, DLTensor, Tensor, Value

TORCH_OF = {(code, bits): dtype for dtype, (code, bits) in DTYPES.items()}
MAX_NDIM = 32


class Number(c.Structure):
    _fields_ = [("kind", I32), ("reserved", I32), ("value", Value)]


class OperandInfo(c.Structure):
    _fields_ = [("name", c.c_char_p), ("optional", I32), ("reserved", I32), ("default_value", Number)]


class ExprInfo(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("num_operands", I32),
        ("min_operands", I32),
        ("num_scalars", I32),
        ("num_results", I32),
        ("num_nodes", I32),
        ("num_host_nodes", I32),
        ("reserved", I32),
        ("operands", c.POINTER(OperandInfo)),
        ("scalars", c.POINTER(OperandInfo)),
        ("results", c.POINTER(c.c_char_p)),
    ]


class TensorDesc(c.Structure):
    _fields_ = [("dtype", DLDataType), ("ndim", I32), ("shape", c.POINTER(I64)), ("strides", c.POINTER(I64))]


class PlanDesc(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("op", I32),
        ("device", DLDevice),
        ("num_inputs", I32),
        ("num_outputs", I32),
        ("num_attrs", I32),
        ("flags", c.c_uint32),
        ("inputs", c.c_void_p),
        ("outputs", c.c_void_p),
        ("attrs", c.c_void_p),
        ("strategy", I32),
        ("threads", I32),
        ("num_per_thread", I32),
        ("reserved", I32),
        ("expr", c.c_void_p),
    ]


class ExecuteArgs(c.Structure):
    _fields_ = [
        ("struct_size", c.c_uint32),
        ("num_inputs", c.c_uint32),
        ("num_outputs", c.c_uint32),
        ("num_scalars", c.c_uint32),
        ("inputs", c.c_void_p),
        ("outputs", c.c_void_p),
        ("scalars", c.c_void_p),
        ("stream", c.c_void_p),
        ("workspace", c.c_void_p),
        ("workspace_bytes", c.c_uint64),
        ("input_ptrs", c.c_void_p),
        ("output_ptrs", c.c_void_p),
        ("extents", c.c_void_p),
        ("num_extents", c.c_uint32),
        ("reserved", c.c_uint32),
    ]


def number(value):
    n = Number()
    n.kind = 2 if isinstance(value, int) else 1
    if isinstance(value, int):
        n.value.i64 = value
    else:
        n.value.f64 = value
    return n


def named_texts():
    """Texts of include/tileops/expressions.def, and of the files that it includes, by name."""
    tables = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include", "tileops", "expressions")
    texts = {}
    for path in (tables + ".def", *glob.glob(tables + "/*.def")):
        with open(path, encoding="utf-8") as f:
            texts.update(re.findall(r'^TILEOPS_EXPRESSION\((\w+),\s*"([^"]*)"', f.read(), re.M))
    return texts


class Expression:
    """A parsed text. `close` drops it."""

    def __init__(self, library, text):
        self.library, self.text, self.handle = library, text, c.c_void_p()
        encoded = text.encode()
        library.check(library.c.tileops_expr_parse(encoded, c.c_size_t(len(encoded)), c.byref(self.handle)))
        info = ExprInfo()
        info.struct_size = c.sizeof(ExprInfo)
        library.check(library.c.tileops_expr_describe(self.handle, c.byref(info)))
        self.operands = [info.operands[i].name.decode() for i in range(info.num_operands)]
        self.scalars = [info.scalars[i].name.decode() for i in range(info.num_scalars)]
        self.num_results, self.num_nodes = info.num_results, info.num_nodes

    def results(self, inputs):
        """Empty tensors of the results' shapes and dtypes."""
        keep = [Tensor(t) for t in inputs]
        descs = (TensorDesc * len(keep))(*[TensorDesc(t.dl.dtype, t.dl.ndim, t.shape, t.strides) for t in keep])
        desc = PlanDesc()
        desc.struct_size, desc.device, desc.num_inputs = c.sizeof(PlanDesc), keep[0].dl.device, len(keep)
        desc.inputs, desc.expr = c.cast(descs, c.c_void_p), self.handle
        found = []
        for k in range(self.num_results):
            dtype, ndim, shape = DLDataType(), I32(), (I64 * MAX_NDIM)()
            self.library.check(
                self.library.c.tileops_plan_infer(c.byref(desc), c.c_size_t(k), c.byref(dtype), c.byref(ndim), shape)
            )
            found.append(
                torch.empty(list(shape[: ndim.value]), dtype=TORCH_OF[dtype.code, dtype.bits], device=inputs[0].device)
            )
        return found

    def plan(self, inputs, outputs, scalars=None):
        return ExprPlan(self.library, self, inputs, outputs, scalars or {})

    def close(self):
        self.library.c.tileops_expr_destroy(self.handle)


class ExprPlan:
    """An expression on given tensors, with scalars that come with every execute. `run` does nothing but the call."""

    def __init__(self, library, expression, inputs, outputs, scalars):
        self.library = library
        self.keep = [Tensor(t) for t in list(inputs) + list(outputs)]
        n = len(inputs)
        self.ins = (c.POINTER(DLTensor) * max(n, 1))(*[c.pointer(t.dl) for t in self.keep[:n]])
        self.outs = (c.POINTER(DLTensor) * len(outputs))(*[c.pointer(t.dl) for t in self.keep[n:]])
        unknown = set(scalars) - set(expression.scalars)
        if unknown:
            raise RuntimeError(f"{expression.text}: no scalars {', '.join(sorted(unknown))}")
        given = [number(scalars[name]) if name in scalars else Number() for name in expression.scalars]
        self.numbers = (Number * max(len(given), 1))(*given)
        self.args = ExecuteArgs(
            c.sizeof(ExecuteArgs),
            n,
            len(outputs),
            len(given) if scalars else 0,
            c.cast(self.ins, c.c_void_p),
            c.cast(self.outs, c.c_void_p),
            c.cast(self.numbers, c.c_void_p),
            None,
            None,
            0,
        )
        self.handle = c.c_void_p()
        library.check(
            library.c.tileops_plan_create_like_expr(
                library.context,
                expression.handle,
                self.ins,
                c.c_size_t(n),
                self.outs,
                c.c_size_t(len(outputs)),
                c.byref(self.handle),
            )
        )
        self.add_workspace(inputs[0].device)
        self.run = functools.partial(library.c.tileops_execute_with, self.handle, c.pointer(self.args))
        library.check(self.run())

    def run_on(self, stream):
        self.args.stream = stream
        return self.run()

    def add_workspace(self, device):
        """Aligned to 256 bytes, where the plan needs one."""
        need, size = c.c_uint64(), c.c_size_t(8)
        self.library.check(self.library.c.tileops_plan_query(self.handle, I32(8), c.byref(need), c.byref(size)))
        if need.value:
            self.workspace = torch.empty(need.value + 255, dtype=torch.uint8, device=device)
            self.args.workspace = (self.workspace.data_ptr() + 255) // 256 * 256
            self.args.workspace_bytes = need.value

    def bytes_moved(self):
        value, size = c.c_uint64(), c.c_size_t(8)
        self.library.check(self.library.c.tileops_plan_query(self.handle, I32(1), c.byref(value), c.byref(size)))
        return value.value

    def text(self, prop):
        """A property that is text, such as 3: TILEOPS_PLAN_STRATEGY."""
        size = c.c_size_t(4096)
        buffer = c.create_string_buffer(size.value)
        self.library.check(self.library.c.tileops_plan_query(self.handle, I32(prop), buffer, c.byref(size)))
        return buffer.value.decode()

    def close(self):
        self.library.c.tileops_plan_destroy(self.handle)


class Unfused:
    """The same chain as operators of the library, one call after the other. A step is "name: (operands) -> text of one
    operator"; operands are those of the chain or names of steps before. The last steps are the results."""

    def __init__(self, library, steps, operands):
        self.plans, self.values = [], dict(operands)
        for step in steps:
            name, text = step.split(": ", 1)
            expression = Expression(library, text)
            inputs = [self.values[o] for o in expression.operands]
            outputs = expression.results(inputs)
            self.plans.append(expression.plan(inputs, outputs))
            self.values[name] = outputs[0]
            expression.close()

    def run_on(self, stream):
        for plan in self.plans:
            plan.run_on(stream)

    def run(self):
        for plan in self.plans:
            plan.run()

    def bytes_moved(self):
        return sum(plan.bytes_moved() for plan in self.plans)

    def close(self):
        for plan in self.plans:
            plan.close()


NO_CACHE = 4  # TILEOPS_PLAN_NO_CACHE


def first_use(library, text, inputs, outputs):
    """Seconds of parsing, planning without the plan cache, and the first execute."""
    keep = [Tensor(t) for t in list(inputs) + list(outputs)]
    descs = (TensorDesc * len(keep))(*[TensorDesc(t.dl.dtype, t.dl.ndim, t.shape, t.strides) for t in keep])
    addresses = (c.c_void_p * len(keep))(*[t.dl.data for t in keep])
    n, size = len(inputs), c.sizeof(c.c_void_p)
    desc = PlanDesc()
    desc.struct_size, desc.device, desc.num_inputs, desc.num_outputs = (
        c.sizeof(PlanDesc),
        keep[0].dl.device,
        n,
        len(outputs),
    )
    desc.flags, desc.inputs, desc.outputs = NO_CACHE, c.addressof(descs), c.addressof(descs) + n * c.sizeof(TensorDesc)
    encoded, expr, plan, lib = text.encode(), c.c_void_p(), c.c_void_p(), library.c
    begin = time.perf_counter()
    library.check(lib.tileops_expr_parse(encoded, c.c_size_t(len(encoded)), c.byref(expr)))
    parsed = time.perf_counter()
    desc.expr = expr
    library.check(lib.tileops_plan_create(library.context, c.byref(desc), c.byref(plan)))
    planned = time.perf_counter()
    library.check(lib.tileops_execute_ptrs(plan, addresses, c.c_void_p(c.addressof(addresses) + n * size), None))
    done = time.perf_counter()
    lib.tileops_plan_destroy(plan)
    lib.tileops_expr_destroy(expr)
    return parsed - begin, planned - parsed, done - planned
