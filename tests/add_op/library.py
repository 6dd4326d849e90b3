"""As much of the C API as applies an operator or an expression of one operand, or of two, to CPU memory."""
import ctypes as c
import sys

# DLPack code, bits, and the largest relative error of one rounding.
DTYPES = {"float32": (2, 32, 2**-23), "float64": (2, 64, 2**-24), "float16": (2, 16, 2**-11),
          "bfloat16": (4, 16, 2**-8), "float8_e4m3fn": (10, 8, 2**-4), "float8_e5m2": (12, 8, 2**-3)}


class Device(c.Structure):
    _fields_ = [("type", c.c_int32), ("id", c.c_int32)]


class DataType(c.Structure):
    _fields_ = [("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16)]


class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device", Device), ("ndim", c.c_int32), ("dtype", DataType),
                ("shape", c.POINTER(c.c_int64)), ("strides", c.c_void_p), ("byte_offset", c.c_uint64)]


def tensor(buffer, count, dtype):
    code, bits, _ = DTYPES[dtype]
    shape = (c.c_int64 * 1)(count)
    return Tensor(c.addressof(buffer), Device(1, 0), 1, DataType(code, bits, 1), shape, None, 0)


class Library:
    def __init__(self, path):
        self.lib = c.CDLL(str(path))
        self.lib.tileops_last_error.restype = c.c_char_p
        self.lib.tileops_build_info.restype = c.c_char_p
        self.lib.tileops_op_from_name.argtypes = [c.c_char_p]
        self.lib.tileops_plan_create_like.argtypes = [
            c.c_void_p, c.c_int32, c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t, c.c_void_p,
            c.c_size_t, c.c_void_p]
        self.lib.tileops_expr_parse.argtypes = [c.c_char_p, c.c_size_t, c.c_void_p]
        self.lib.tileops_expr_destroy.argtypes = [c.c_void_p]
        self.lib.tileops_plan_create_like_expr.argtypes = [
            c.c_void_p, c.c_void_p, c.c_void_p, c.c_size_t, c.c_void_p, c.c_size_t, c.c_void_p]
        self.lib.tileops_execute.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t, c.c_void_p,
                                             c.c_size_t, c.c_void_p]
        self.lib.tileops_plan_destroy.argtypes = [c.c_void_p]

    def op(self, name):
        return self.lib.tileops_op_from_name(name.encode())

    def build_info(self):
        return self.lib.tileops_build_info().decode()

    def check(self, status):
        if status:
            sys.exit(f"add_op: {self.lib.tileops_last_error().decode()}")

    def apply(self, name, source, count, from_dtype, to_dtype):
        """The bytes of the operator `name` applied to `count` elements."""
        def create(ins, outs, plan):
            return self.lib.tileops_plan_create_like(None, self.op(name), ins, 1, outs, 1, None, 0, plan)
        return self.run(create, [source], count, from_dtype, to_dtype)

    def evaluate(self, text, sources, count, dtype):
        """The bytes of the expression `text` of operands of one dtype."""
        expr = c.c_void_p()
        self.check(self.lib.tileops_expr_parse(text.encode(), len(text), c.byref(expr)))

        def create(ins, outs, plan):
            return self.lib.tileops_plan_create_like_expr(None, expr, ins, len(sources), outs, 1, plan)
        result = self.run(create, sources, count, dtype, dtype)
        self.lib.tileops_expr_destroy(expr)
        return result

    def run(self, create, sources, count, from_dtype, to_dtype):
        result = c.create_string_buffer(count * DTYPES[to_dtype][1] // 8)
        inputs, y = [tensor(s, count, from_dtype) for s in sources], tensor(result, count, to_dtype)
        ins = (c.c_void_p * len(inputs))(*(c.addressof(x) for x in inputs))
        outs, plan = (c.c_void_p * 1)(c.addressof(y)), c.c_void_p()
        self.check(create(ins, outs, c.byref(plan)))
        self.check(self.lib.tileops_execute(plan, ins, len(inputs), outs, 1, None))
        self.lib.tileops_plan_destroy(plan)
        return result
