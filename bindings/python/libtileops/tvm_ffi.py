"""Expressions as functions of TVM-FFI, for libraries and languages that call its functions. The package apache-tvm-ffi is needed.

    f = libtileops.tvm_ffi.expr("(g, u; scale = 1.0) -> silu(g) * u * scale")
    f(y, g, u, 2.0)  # results that are there, operands, then any of the scalars

Tensors are any that TVM-FFI takes (DLPack). On CUDA a call runs on the stream that TVM-FFI knows as the current one.
"""

import functools
import pathlib

import tvm_ffi

__all__ = ["expr", "library"]


def library():
    """The file of the side library, for programs that load it themselves: its function `expr` takes a text."""
    file = pathlib.Path(__file__).with_name("libtileops_tvm_ffi.so")
    if not file.exists():
        raise ImportError("this libtileops was built where apache-tvm-ffi was not installed")
    return str(file)


@functools.cache
def _module():
    return tvm_ffi.load_module(library())


@functools.lru_cache(maxsize=1024)
def expr(text):
    """The function of a text, a tvm_ffi.Function, that is called with results, operands and scalars."""
    return _module()["expr"](text)
