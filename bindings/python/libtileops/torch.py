"""Expressions as operators of torch: its dispatcher, autograd, torch.compile and export know them.

    norm = libtileops.torch.op("(x[.., n], w[n]; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w")
    norm(x, w, eps=1e-5).sum().backward()
    torch.compile(lambda x, w: norm(x, w) * 2, fullgraph=True)(x, w)

An operator is one node of a graph. Its results are row-major; on CUDA it runs on the current stream, with memory of torch's.
"""

import hashlib
import importlib as _importlib

import torch

from . import _core, _shapes
from ._core import Expr

__all__ = ["op", "ops"]

_overloads = {}  # of the dispatcher, by name and canonical text
_operators = {}  # what op() has given, by what it was asked for


def _schema(name, expr):
    def default(value):
        return f"={value!r}" if value == value and abs(value) != float("inf") else ""  # schemas write no infinities
    operands = [f"Tensor {operand}" for operand in expr.operands]
    scalars = [f"{'float' if isinstance(value, float) else 'int'} {scalar}{default(value)}" for scalar, value in expr.scalars.items()]
    results = ", ".join(["Tensor"] * len(expr.results))
    arguments = ", ".join([*operands, *(["*", *scalars] if scalars else [])])
    return f"{name}({arguments}) -> {results if len(expr.results) == 1 else f'({results})'}"


def _fake(expr):
    """The kernel of tensors without memory: shapes and element types of results. Extents that are symbols stay so."""
    def results_of(dtypes, shapes):
        return expr._infer(*zip(dtypes, map(tuple, shapes)))

    def kernel(*operands, **scalars):
        dtypes = [operand.dtype for operand in operands]
        shapes = [tuple(operand.shape) for operand in operands]
        if any(isinstance(extent, torch.SymInt) for shape in shapes for extent in shape):
            try:
                known = _shapes.symbolic(lambda numbers: [shape for _, shape in results_of(dtypes, numbers)], shapes)
            except (_shapes.Unknown, _core.Error):  # of these extents alone, or for none
                known = None
            numbers = [tuple(map(int, shape)) for shape in shapes] if known is None else [
                tuple(extent if isinstance(extent, int) else extent.node.hint or 1 for extent in shape) for shape in shapes]
        else:
            known, numbers = None, shapes
        inferred = results_of(dtypes, numbers) if known is None else None
        if inferred is None:
            inferred = zip((dtype for dtype, _ in results_of(dtypes, numbers)), known)
        device = next((operand.device for operand in operands if operand.device.type != "cpu"), operands[0].device)
        made = tuple(torch.empty(shape, dtype=getattr(torch, dtype), device=device) for dtype, shape in inferred)
        return made if len(made) > 1 else made[0]

    return kernel


def _overload(expr, name):
    """The operator of the dispatcher, defined when it is first asked for."""
    text = expr.text
    if name is None:  # the same in every process: compiled graphs on disk refer to it
        name = f"{'expr' if ' ' in expr.__name__ else expr.__name__}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    if not name.isidentifier():
        raise ValueError(f"name: is no identifier (got {name!r})")
    if name not in _overloads:
        expr._define_torch(name, _schema(name, expr))
        torch.library.register_fake(f"libtileops::{name}", _fake(expr))
        _overloads[name] = text, getattr(torch.ops.libtileops, name).default
    known, overload = _overloads[name]
    if known != text:
        raise ValueError(f"name: libtileops::{name} is another expression, {known}")
    return overload


def _function_of(overload, gradient, names, may):
    """The function of autograd around an operator. `gradient` is one with a gradient of its own, so that second derivatives are
    right."""
    several = len(overload._schema.returns) > 1

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, scalars, *operands):
            ctx.scalars = scalars
            ctx.save_for_backward(*operands)
            results = overload(*operands, **dict(zip(names, scalars)))
            if not_floats := [result for result in (results if several else (results,)) if not result.is_floating_point()]:
                ctx.mark_non_differentiable(*not_floats)
            return results

        @staticmethod
        def backward(ctx, *grads):
            made = gradient(*ctx.saved_tensors, *grads, **dict(zip(names, ctx.scalars)))
            made = list(made) if isinstance(made, tuple) else [made]
            return (None, *[made.pop(0) if each else None for each in may])

    return Function


def _call_of(expr, overload, grad):
    """The operator as a function, a plain one, which is what torch.compile sees through: autograd's around the dispatcher's, where
    a gradient is wanted."""
    defaults = dict(expr.scalars)
    names = tuple(defaults)
    may = tuple(operand in grad for operand in expr.operands)
    functions = []  # that of autograd, once it is made

    def differentiable():
        if not functions:
            backward = expr.gradient(*grad)
            gradient = op(backward, grad=(*grad, *backward.operands[len(may):]))
            functions.append(_function_of(overload, gradient, names, may))
        return functions[0]

    def call(*operands, **scalars):
        if names or scalars:
            for scalar in scalars:
                if scalar not in defaults:
                    raise TypeError(f"{call.__name__}: there is no scalar {scalar!r}")
            scalars = {**defaults, **scalars}
        if torch.is_grad_enabled():
            wanted = False
            for operand, allowed in zip(operands, may):
                if getattr(operand, "requires_grad", False):
                    if not allowed:
                        raise ValueError(f"{call.__name__}: an operand requires a gradient and is not in grad={grad!r} of op()")
                    wanted = True
            if wanted:
                return (functions[0] if functions else differentiable()).apply(tuple(scalars.values()), *operands)
        return overload(*operands, **scalars)

    call.__name__ = call.__qualname__ = overload._schema.name.partition("::")[2]
    call.__doc__ = f"{overload._schema}\n\n{expr.__doc__}"
    call.overload, call.expr, call.grad = overload, expr, grad
    call.differentiable = differentiable
    return call


def op(function, name=None, *, grad=None):
    """An operator of torch of an expression: a text, what `libtileops.expr` gives, or an expression that has a name.

    name: of the operator, libtileops::NAME; else one that follows from the text.
    grad: names of the operands that may require gradients, () for none; else all, where there are derivatives. An operand
        of integers, such as labels, has none: leave it out.
    """
    expr = Expr(function) if isinstance(function, str) else function
    if not isinstance(expr, Expr):
        raise TypeError(f"function: is no expression (got {function!r})")
    if grad is None:
        try:
            expr.gradient()
            grad = expr.operands
        except _core.Unsupported:
            grad = ()
    unknown = [operand for operand in grad if operand not in expr.operands]
    if unknown:
        raise ValueError(f"grad: there is no operand {unknown[0]!r}")
    key = expr.text, name, tuple(grad)
    if key not in _operators:
        _operators[key] = _call_of(expr, _overload(expr, name), tuple(operand for operand in expr.operands if operand in grad))
        # Operators of gradients are there before a trace, which cannot make them; those of gradients of gradients, which no
        # trace asks for, when they are needed.
        if grad and not expr.__name__.startswith("gradient of "):
            _operators[key].differentiable()
    return _operators[key]


def __getattr__(name):
    if name == "ops":  # made when they are asked for
        return _importlib.import_module("libtileops._torch_ops")
    raise AttributeError(f"module 'libtileops.torch' has no attribute '{name}'")
