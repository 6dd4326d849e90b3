"""Expressions within programs of JAX, on the CPU and on CUDA: jit, grad, vmap and shard_map know them.

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
from ._parts import together

__all__ = ["op"]

_TARGET = "libtileops_expr"
jax.ffi.register_ffi_target(_TARGET, _core.xla_target(False), platform="cpu")
jax.ffi.register_ffi_target(_TARGET, _core.xla_target(True), platform="CUDA")


def _bits(value, default):
    """A scalar as 64 bits of its default's kind."""
    if isinstance(default, float):
        return struct.unpack("<q", struct.pack("<d", float(value)))[0]
    if int(value) != value:
        raise ValueError(f"is an integer (got {value!r})")
    return int(value)


def _axes(operands):
    """The axes of a mesh along which any of these is another value on each device, within shard_map."""
    def of(kind):  # by its name of today, or that of earlier versions; before 0.6 there was none
        manual = getattr(kind, "manual_axis_type", None)
        return getattr(kind, "vma", frozenset()) if manual is None else manual.varying
    return frozenset().union(*(of(jax.typeof(operand)) for operand in operands))


def _varying(x, axes):
    """x, as one that may be another value along these axes. Its gradient is summed over them."""
    axes = tuple(sorted(axes - _axes((x,))))
    if not axes:
        return x
    return jax.lax.pcast(x, axes, to="varying") if hasattr(jax.lax, "pcast") else jax.lax.pvary(x, axes)


@functools.lru_cache(maxsize=1024)
def _node(expr, scalars):
    """The expression as a node of the program: results follow from the shapes that are traced. A batch of calls is one where the text allows."""
    def described(operands):
        return [(operand.dtype, tuple(operand.shape)) for operand in operands]

    @jax.custom_batching.custom_vmap
    def node(*operands):
        results = tuple(jax.ShapeDtypeStruct(shape, jnp.dtype(dtype)) for dtype, shape in expr._infer(*described(operands)))
        call = jax.ffi.ffi_call(_TARGET, results, vmap_method="sequential")
        # One more, since XLA has no empty arrays of constants.
        made = call(*operands, text=expr.text, scalars=np.array([*scalars, 0], np.int64))
        axes = _axes(operands)
        return tuple(_varying(y, axes) for y in made)

    @node.def_vmap
    def batch(size, batched, *operands):
        singles = [jax.ShapeDtypeStruct(x.shape[1:] if each else x.shape, x.dtype) for x, each in zip(operands, batched)]
        rank = max((x.ndim for x in singles), default=0)
        moved = [x.reshape(size, *[1] * (rank - x.ndim + 1), *x.shape[1:]) if each else x for x, each in zip(operands, batched)]
        shapes = together(expr, described(singles), described(moved), batched, size) if size else None
        if shapes is None:
            def one(given):
                given = iter(given)
                return node(*(next(given) if each else x for x, each in zip(operands, batched)))
            made = jax.lax.map(one, tuple(x for x, each in zip(operands, batched) if each))
            return made, (True,) * len(made)
        made = node(*moved)
        return tuple(y if shape is None else y.reshape(shape) for y, shape in zip(made, shapes)), tuple(shape is not None for shape in shapes)

    return node


def _call(expr, operands, scalars):
    made = _node(expr, scalars)(*operands)
    return made if len(made) > 1 else made[0]


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
        operands = tuple(map(jnp.asarray, operands))
        axes = _axes(operands)
        return function(tuple(bits), *(_varying(operand, axes) for operand in operands))

    call.__name__ = call.__qualname__ = expr.__name__
    call.__doc__ = expr.__doc__
    call.expr = expr
    return call


def op(function):
    """A function of JAX's arrays of an expression: a text, what `libtileops.expr` gives, or an expression that has a name.

    It takes an array for each operand, also for those that have a default, and scalars by name. Operands of integers have no
    gradient. vmap calls it once for the batch where the text gives the same that way, else once for each element.
    """
    expr = Expr(function) if isinstance(function, str) else function
    if not isinstance(expr, Expr):
        raise TypeError(f"function: is no expression (got {function!r})")
    return _op(expr)
