"""Expressions within programs of JAX, on the CPU: jit, grad and vmap know them.

    norm = libtileops.jax.op("(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w")
    jax.jit(jax.grad(lambda x, w: norm(x, w, eps=1e-5).sum()))(x, w)

An expression is one call of XLA's FFI. Scalars are numbers when a program is traced, and constants of what is compiled.
"""

import functools
import struct

import jax
import numpy as np
from jax import numpy as jnp

from . import _core
from ._core import Expr

__all__ = ["op"]

_TARGET = "libtileops_expr"
jax.ffi.register_ffi_target(_TARGET, _core.xla_target(), platform="cpu")


def _bits(value, default):
    """A scalar as 64 bits of its default's kind."""
    if isinstance(default, float):
        return struct.unpack("<q", struct.pack("<d", float(value)))[0]
    if int(value) != value:
        raise ValueError(f"is an integer (got {value!r})")
    return int(value)


def _call(expr, operands, scalars):
    """The expression as a node of the program: results follow from the shapes that are traced."""
    inferred = expr._infer(*((operand.dtype, tuple(operand.shape)) for operand in operands))
    results = tuple(jax.ShapeDtypeStruct(shape, jnp.dtype(dtype)) for dtype, shape in inferred)
    call = jax.ffi.ffi_call(_TARGET, results if len(results) > 1 else results[0], vmap_method="sequential")
    # One more, since XLA has no empty arrays of constants.
    made = call(*operands, text=expr.text, scalars=np.array([*scalars, 0], np.int64))
    return tuple(made) if isinstance(made, list) else made


@functools.cache
def _gradient(expr, operands):
    return _differentiable(_known(expr.gradient(*operands)))


def _known(expr):
    expr._define_jax()
    return expr


@functools.cache
def _differentiable(expr):
    """f(scalars, *operands), with the gradient that the library has of the text; it has one of its own, and so on."""
    @functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
    def function(scalars, *operands):
        return _call(expr, operands, scalars)

    def forward(scalars, *operands):
        return function(scalars, *operands), operands

    def backward(scalars, operands, grads):
        grads = grads if isinstance(grads, (tuple, list)) else (grads,)
        inferred = expr._infer(*((operand.dtype, tuple(operand.shape)) for operand in operands))
        # A result that is no float has no gradient: JAX says so by a type of its own, the text wants zeros.
        grads = [jnp.zeros(shape, dtype) if grad.dtype == jax.dtypes.float0 else grad for grad, (dtype, shape) in zip(grads, inferred)]
        floats = tuple(name for name, operand in zip(expr.operands, operands) if jnp.issubdtype(operand.dtype, jnp.floating))
        made = iter(())
        if floats:
            made = _gradient(expr, floats)(scalars, *operands, *grads)
            made = iter(made if isinstance(made, tuple) else (made,))
        return tuple(next(made) if name in floats else np.zeros(operand.shape, jax.dtypes.float0)
                     for name, operand in zip(expr.operands, operands))

    function.defvjp(forward, backward)
    return function


@functools.cache
def _op(expr):
    function = _differentiable(_known(expr))
    defaults = dict(expr.scalars)

    def call(*operands, **scalars):
        if len(operands) != len(expr.operands):
            raise TypeError(f"{expr.__name__}: takes {len(expr.operands)} operands (got {len(operands)})")
        for scalar in scalars:
            if scalar not in defaults:
                raise TypeError(f"{expr.__name__}: there is no scalar {scalar!r}")
        bits = []
        for scalar, default in defaults.items():
            try:
                bits.append(_bits(scalars.get(scalar, default), default))
            except ValueError as error:
                raise ValueError(f"{expr.__name__}: {scalar}: {error}") from None
        return function(tuple(bits), *map(jnp.asarray, operands))

    call.__name__ = call.__qualname__ = expr.__name__
    call.__doc__ = expr.__doc__
    call.expr = expr
    return call


def op(function):
    """A function of JAX's arrays of an expression: a text, what `libtileops.expr` gives, or an expression that has a name.

    It takes an array for each operand, also for those that have a default, and scalars by name. Operands of integers have no
    gradient. vmap calls it once for each element of the batch.
    """
    expr = Expr(function) if isinstance(function, str) else function
    if not isinstance(expr, Expr):
        raise TypeError(f"function: is no expression (got {function!r})")
    return _op(expr)
