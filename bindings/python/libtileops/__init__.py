"""libtileops: tensor operators, fused expressions and row reductions on CPU and CUDA memory, of arrays of any library.

    import libtileops as to

    to.gelu(x, approximate="tanh")                      # every operator is a function
    to.rms_norm(x, weight, eps=1e-5, out=y)             # and so is every expression that has a name
    swiglu = to.expr("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r")
    swiglu(g, u, r, scale=2.0)                          # one pass over memory

Arrays are NumPy's, or any that have DLPack (torch, JAX, CuPy ..); nothing is copied, and results are of the library of the
first array. `help(to.rms_norm)` tells shapes, dtypes and attributes; docs/python.md has the rest.
"""

import functools as _functools
import glob as _glob
import importlib as _importlib
import os as _os
import sys as _sys

from . import _core
from ._core import DeviceError, Error, Expr, InvalidArgument, Operator, OutOfMemory, Plan, Unsupported, build_info
from ._core import version as __version__

__all__ = ["DeviceError", "Error", "Expr", "InvalidArgument", "Operator", "OutOfMemory", "Plan", "Unsupported", "build_info",
           "expr", "kernel_packs", "names", "plan", *(name for kind in _core.names() for name in kind)]


# Folders that wheels of prebuilt kernels (libtileops-kernels-*) share, after those that the environment names.
_pack_dirs = [folder for folder in _os.environ.get("TILEOPS_PACK_DIRS", "").split(":") if folder]
_pack_dirs += [_os.path.abspath(folder) for folder in (_os.path.join(entry, "libtileops_kernels") for entry in _sys.path)
               if ":" not in folder and _os.path.isdir(folder)]
if _pack_dirs:
    _core.set_pack_dirs(":".join(_pack_dirs))


def kernel_packs():
    """Files of prebuilt CUDA kernels that plans look in, besides the library's own."""
    return tuple(file for folder in _pack_dirs for file in sorted(_glob.glob(_os.path.join(_glob.escape(folder), "*.pack"))))


@_functools.lru_cache(maxsize=1024)
def expr(text):
    """The expression of a text, as a function of arrays. A text that was seen before gives the same one, with its plans."""
    return Expr(text)


def plan(function, *operands, reproducible=False, **named):
    """The plan that `function(*operands, **named)` would have: checks and choices are made, nothing is computed. It is called
    with operands of the same dtypes, shapes, strides and device.

    reproducible: float32 and float64 results have the same bits on CPU and GPU.
    """
    return function._plan(1 if reproducible else 0, *operands, **named)


def names():
    """Names of the operators, and of the expressions that have one."""
    return tuple(map(tuple, _core.names()))


def __getattr__(name):
    if name in ("torch", "jax", "tvm_ffi"):  # imported when they are asked for: with torch, JAX or TVM-FFI itself
        return _importlib.import_module(f"libtileops.{name}")
    try:
        function = _core.function(name)
    except KeyError:
        raise AttributeError(f"module 'libtileops' has no attribute '{name}'") from None
    globals()[name] = function
    return function


def __dir__():
    return sorted(__all__)
