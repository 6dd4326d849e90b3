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
import importlib as _importlib

from . import _core
from ._core import DeviceError, Error, Expr, InvalidArgument, Operator, OutOfMemory, Plan, Unsupported, build_info
from ._core import version as __version__

__all__ = ["DeviceError", "Error", "Expr", "InvalidArgument", "Operator", "OutOfMemory", "Plan", "Unsupported", "build_info",
           "expr", "names", "plan", *(name for kind in _core.names() for name in kind)]


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
    if name in ("torch", "jax"):  # imported when they are asked for: with torch or JAX itself
        return _importlib.import_module(f"libtileops.{name}")
    try:
        function = _core.function(name)
    except KeyError:
        raise AttributeError(f"module 'libtileops' has no attribute '{name}'") from None
    globals()[name] = function
    return function


def __dir__():
    return sorted(__all__)
