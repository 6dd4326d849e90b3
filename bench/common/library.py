"""The library and the copy loop through ctypes, on the memory of torch tensors."""

import ctypes as c
import functools
import os
import re

import torch

I64, I32 = c.c_int64, c.c_int32


class DLDataType(c.Structure):
    _fields_ = [("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16)]


class DLDevice(c.Structure):
    _fields_ = [("type", I32), ("id", I32)]


class DLTensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device", DLDevice), ("ndim", I32), ("dtype", DLDataType),
                ("shape", c.POINTER(I64)), ("strides", c.POINTER(I64)), ("byte_offset", c.c_uint64)]


class ContextOptions(c.Structure):
    _fields_ = [("struct_size", c.c_uint32), ("cache_mode", I32), ("cache_dir", c.c_char_p),
                ("cache_max_bytes", c.c_uint64), ("plan_capacity", c.c_uint32),
                ("num_threads", I32), ("cpu_isa", c.c_char_p), ("keep_workspace", I32), ("reserved", I32)]


class Value(c.Union):
    _fields_ = [("f64", c.c_double), ("i64", I64)]


class Attr(c.Structure):
    _fields_ = [("key", I32), ("kind", I32), ("value", Value)]


class Traffic(c.Structure):
    _fields_ = [("reads", c.c_void_p * 4), ("write", c.c_void_p), ("more_writes", c.c_void_p * 2), ("read_bytes", I32 * 4),
                ("write_bytes", I32), ("more_write_bytes", I32 * 2), ("reserved", I32), ("elements", I64)]


class Call(c.Structure):
    _fields_ = [("execute", c.c_void_p), ("plan", c.c_void_p), ("inputs", c.c_void_p), ("num_inputs", c.c_size_t),
                ("outputs", c.c_void_p), ("num_outputs", c.c_size_t)]


DTYPES = {torch.float16: (2, 16), torch.float32: (2, 32), torch.float64: (2, 64),
          torch.bfloat16: (4, 16), torch.int8: (0, 8), torch.int16: (0, 16), torch.int32: (0, 32),
          torch.int64: (0, 64), torch.uint8: (1, 8), torch.bool: (6, 8),
          torch.float8_e4m3fn: (10, 8), torch.float8_e5m2: (12, 8)}
if hasattr(torch, "float8_e8m0fnu"):  # not before torch 2.7
    DTYPES[torch.float8_e8m0fnu] = 14, 8


class Tensor:
    """A DLTensor over a torch tensor, and what it points to."""

    def __init__(self, t):
        self.tensor = t
        self.shape = (I64 * max(t.dim(), 1))(*t.shape)
        self.strides = (I64 * max(t.dim(), 1))(*t.stride())
        code, bits = DTYPES[t.dtype]
        device = DLDevice(2, t.device.index) if t.is_cuda else DLDevice(1, 0)
        self.dl = DLTensor(t.data_ptr(), device, t.dim(), DLDataType(code, bits, 1),
                           self.shape, self.strides, 0)


class Library:
    def __init__(self, path, threads, isa=None, keep_workspace=False):
        # The folder of the benchmark may hold a copy of libtbb for machines without it.
        for folder in (os.path.dirname(os.path.abspath(path)),
                       os.path.join(os.path.dirname(os.path.abspath(path)), "bench")):
            tbb = os.path.join(folder, "libtbb.so.12")
            if os.path.exists(tbb):
                c.CDLL(tbb, mode=c.RTLD_GLOBAL)
                break
        self.c = c.CDLL(path)
        self.c.tileops_last_error.restype = c.c_char_p
        self.c.tileops_build_info.restype = c.c_char_p
        self.c.tileops_plan_destroy.argtypes = [c.c_void_p]
        options = ContextOptions(c.sizeof(ContextOptions), 0, None, 0, 0, threads,
                                 isa.encode() if isa else None, keep_workspace)
        self.context = c.c_void_p()
        self.check(self.c.tileops_context_create(c.byref(options), c.byref(self.context)))

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.c.tileops_last_error().decode())

    def build_info(self):
        return self.c.tileops_build_info().decode()

    def plan(self, op, inputs, outputs, attrs):
        return Plan(self, op, inputs, outputs, attrs)


class Plan:
    """One operator on given tensors. `run` takes no arguments and does nothing but the call."""

    def __init__(self, library, op, inputs, outputs, attrs):
        self.library = library
        self.keep = [None if t is None else Tensor(t) for t in list(inputs) + list(outputs)]
        pointers = [None if t is None else c.pointer(t.dl) for t in self.keep]
        none = c.POINTER(DLTensor)()
        n = self.num_inputs = len(inputs)
        self.ins = (c.POINTER(DLTensor) * max(n, 1))(*[p or none for p in pointers[:n]])
        self.outs = (c.POINTER(DLTensor) * len(outputs))(*[p or none for p in pointers[n:]])
        values = (Attr * max(len(attrs), 1))()
        for value, (name, number) in zip(values, attrs.items()):
            value.key = attr_keys()[name]
            value.kind = 2 if isinstance(number, int) else 1
            if isinstance(number, int):
                value.value.i64 = number
            else:
                value.value.f64 = number
        self.handle = c.c_void_p()
        lib = library.c
        library.check(lib.tileops_plan_create_like(
            library.context, I32(ops_of_table()[op].id), self.ins, c.c_size_t(n), self.outs,
            c.c_size_t(len(outputs)), values, c.c_size_t(len(attrs)), c.byref(self.handle)))
        execute = lib.tileops_execute
        args = (self.handle, self.ins, c.c_size_t(n), self.outs, c.c_size_t(len(outputs)))
        self.run = functools.partial(execute, *args, None)  # 0.1 us less than through a lambda
        self.run_on = lambda stream: execute(*args, c.c_void_p(stream))
        library.check(self.run())

    def bytes_moved(self):
        value, size = c.c_uint64(), c.c_size_t(8)
        self.library.check(self.library.c.tileops_plan_query(self.handle, I32(1), c.byref(value),
                                                             c.byref(size)))
        return value.value

    def text(self, prop):
        """A property that is text, such as 3: TILEOPS_PLAN_STRATEGY."""
        size = c.c_size_t(4096)
        buffer = c.create_string_buffer(size.value)
        self.library.check(self.library.c.tileops_plan_query(self.handle, I32(prop), buffer,
                                                             c.byref(size)))
        return buffer.value.decode()

    def close(self):
        self.library.c.tileops_plan_destroy(self.handle)


class CopyLoop:
    """The loop of copy_loop.cc and the call of call.cc; without that library every time is None."""

    def __init__(self, path):
        self.c = None
        if path and os.path.exists(path):
            self.c = c.CDLL(path)
            self.c.tileops_copy_measure.restype = c.c_double

    def run(self, plan):
        """A plan's `run` with one argument to convert instead of six, where the library is there."""
        if self.c is None:
            return plan.run
        call = Call(c.cast(plan.library.c.tileops_execute, c.c_void_p), plan.handle, c.cast(plan.ins, c.c_void_p),
                    plan.num_inputs, c.cast(plan.outs, c.c_void_p), len(plan.outs))
        return functools.partial(self.c.tileops_bench_run, c.pointer(call))

    def traffic(self, reads, write, write_bytes, elements, more_writes=()):
        """reads and more_writes: (tensor, bytes of it per element of the output)."""
        t = Traffic()
        for i, (tensor, size) in enumerate(reads):
            t.reads[i], t.read_bytes[i] = tensor.data_ptr(), size
        for i, (tensor, size) in enumerate(more_writes):
            t.more_writes[i], t.more_write_bytes[i] = tensor.data_ptr(), size
        t.write, t.write_bytes, t.elements = write.data_ptr(), write_bytes, elements
        return t

    def seconds(self, traffic, threads, variant, passes):
        if self.c is None:
            return None
        return self.c.tileops_copy_measure(c.byref(traffic), I32(threads), I32(variant), I32(1),
                                           I32(passes)) or None


class Row:
    def __init__(self, fields):
        self.id, self.name, self.category = int(fields[0]), fields[2], fields[3]
        self.dtypes, self.lo, self.hi = fields[6], float(fields[-3]), float(fields[-2])


_tables = {}


def _include():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "include", "tileops")


def ops_of_table():
    """Rows of the operator table by name."""
    if "ops" not in _tables:
        rows = {}
        folder = os.path.join(_include(), "ops")
        token = re.compile(r'"(?:[^"\\]|\\.)*"|\([^()]*\)|[^,\s"()][^,"()]*')
        for file in sorted(os.listdir(folder)):
            with open(os.path.join(folder, file), encoding="utf-8") as f:
                for line in f:
                    if line.startswith("TILEOPS_OP("):
                        row = Row([t.strip() for t in token.findall(line.strip()[11:-1])])
                        rows[row.name] = row
        _tables["ops"] = rows
    return _tables["ops"]


def attr_keys():
    if "attrs" not in _tables:
        with open(os.path.join(_include(), "attrs.def"), encoding="utf-8") as f:
            found = re.findall(r"^TILEOPS_ATTR\((\d+), \w+, (\w+),", f.read(), re.M)
        _tables["attrs"] = {name: int(key) for key, name in reversed(found)}  # of two of one name, that of operators
    return _tables["attrs"]
