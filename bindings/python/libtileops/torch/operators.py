"""Operators of torch's dispatcher that are made of expressions, with their fakes and their gradients."""

import hashlib
import sys

import torch
from torch.autograd import forward_ad

from .. import _core
from .._core import Expr
from . import batching
from .decompose import VERSION, hand_over, is_sayable, offer
from .nodes import integral_results
from .shapes import Unknown, symbolic

_overloads = {}  # of the dispatcher, by name and canonical text
_operators = {}  # what op() has given, by what it was asked for
_unplaced = []  # operators and expressions that DTensor has not been told of
_transformed = []  # the functions of autograd that torch.func goes through


def _has_default(value):
    return value == value and abs(value) != float("inf")  # schemas write no infinities


def _schema(name, expr):
    operands = [f"Tensor {operand}" for operand in expr.operands]
    scalars = [f"{'float' if isinstance(value, float) else 'int'} {scalar}{f'={value!r}' if _has_default(value) else ''}"
               for scalar, value in expr.scalars.items()]
    results = ", ".join(["Tensor"] * len(expr.results))
    arguments = ", ".join([*operands, *(["*", *scalars] if scalars else [])])
    return f"{name}({arguments}) -> {results if len(expr.results) == 1 else f'({results})'}"


def _is_permuted(x):
    """Has a tensor its elements without gaps, but not row by row? The kernel asks the same."""
    if x.dim() < 2 or x.is_contiguous():
        return False
    step = 1
    for stride, extent in sorted((stride, extent) for stride, extent in zip(x.stride(), x.shape) if extent != 1):
        if stride != step:
            return False
        step *= extent
    return True


def _fake(expr):
    """The kernel of tensors without memory: shapes and element types of results. Extents that are symbols stay so."""
    def results_of(dtypes, shapes):
        return expr._infer(*zip(dtypes, map(tuple, shapes)))

    def kernel(*operands, **scalars):
        hand_over()
        dtypes = [operand.dtype for operand in operands]
        shapes = [tuple(operand.shape) for operand in operands]
        if any(isinstance(extent, torch.SymInt) for shape in shapes for extent in shape):
            try:
                known = symbolic(lambda numbers: [shape for _, shape in results_of(dtypes, numbers)], shapes)
            except (Unknown, _core.Error):  # of these extents alone, or for none
                known = None
            numbers = [tuple(map(int, shape)) for shape in shapes] if known is None else [
                tuple(extent if isinstance(extent, int) else extent.node.hint or 1 for extent in shape) for shape in shapes]
        else:
            known, numbers = None, shapes
        inferred = results_of(dtypes, numbers) if known is None else None
        if inferred is None:
            inferred = zip((dtype for dtype, _ in results_of(dtypes, numbers)), known)
        device = next((operand.device for operand in operands if operand.device.type != "cpu"), operands[0].device)
        first = operands[0]
        permuted = _is_permuted(first)

        def result(dtype, shape):  # in the order of the first operand's elements where it has the shape, as the kernel lays it out
            if permuted and len(shape) == first.dim() and tuple(shape) == tuple(first.shape):
                return torch.empty_strided(shape, first.stride(), dtype=getattr(torch, dtype), device=device)
            return torch.empty(shape, dtype=getattr(torch, dtype), device=device)
        made = tuple(result(dtype, shape) for dtype, shape in inferred)
        return made if len(made) > 1 else made[0]

    return kernel


def _overload(expr, name, prefix, decompose):
    """The operator of the dispatcher, defined when it is first asked for."""
    text = expr.text
    on = ("cpu", "cuda") if decompose else ("cpu",) if decompose is None else ()
    mark = f"v{VERSION}{'_cuda' if decompose else ''}" if on and is_sayable(expr) else ""
    if name is None:  # the same in every process: compiled graphs on disk refer to it
        name = f"{prefix}_{hashlib.sha256(f'{text}{mark}'.encode()).hexdigest()[:12]}"
    elif not name.isidentifier():
        raise ValueError(f"name: is no identifier (got {name!r})")
    elif mark:
        name = f"{name}.{mark}_{hashlib.sha256(text.encode()).hexdigest()[:6]}"
    if name not in _overloads:
        expr._define_torch(name, _schema(name, expr))
        torch.library.register_fake(f"libtileops::{name}", _fake(expr))
        packet, _, variant = name.partition(".")
        overload = getattr(getattr(torch.ops.libtileops, packet), variant or "default")
        batching.register(overload, expr, refuse_tangents)
        if mark:
            offer(overload, expr, on)
        _overloads[name] = text, overload
        _unplaced.append((overload, expr))
        if "torch.distributed.tensor" in sys.modules:
            tell_dtensor()
    known, overload = _overloads[name]
    if known != text:
        raise ValueError(f"name: libtileops::{name} is another expression, {known}")
    return overload


def refuse_tangents(name, operands):
    """Forward mode: torch would go on without the derivative and say nothing."""
    for operand in operands:
        if not isinstance(operand, torch.Tensor) or torch._C._functorch.is_batchedtensor(operand):
            continue  # one of a batch is looked at when the operator is called for all of them
        if forward_ad.unpack_dual(operand).tangent is not None:
            raise RuntimeError(f"{name}: has no jvp, which forward mode needs")


def tell_dtensor():
    """Tells torch how operators are computed on tensors that are cut over several devices, where a program uses such."""
    from .sharding import register
    while _unplaced:
        register(*_unplaced.pop())


def _functions_of(overload, gradient, names, may):
    """The functions of autograd around an operator: one for the moment, and one that torch.func goes through, which costs more. `gradient`
    is one with a gradient of its own, so that second derivatives are right."""
    several = len(overload._schema.returns) > 1

    def keep(ctx, scalars, operands, results):
        ctx.scalars = scalars
        ctx.save_for_backward(*operands)
        if not_floats := [result for result in (results if several else (results,)) if not result.is_floating_point()]:
            ctx.mark_non_differentiable(*not_floats)

    def back(ctx, grads):
        made = gradient(*ctx.saved_tensors, *grads, **dict(zip(names, ctx.scalars)))
        made = list(made) if isinstance(made, tuple) else [made]
        return (None, *[made.pop(0) if each else None for each in may])

    class Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, scalars, *operands):
            results = overload(*operands, **dict(zip(names, scalars)))
            keep(ctx, scalars, operands, results)
            return results

        @staticmethod
        def backward(ctx, *grads):
            return back(ctx, grads)

    class Transformed(torch.autograd.Function):
        generate_vmap_rule = True  # by those of the operators

        @staticmethod
        def forward(scalars, *operands):
            return overload(*operands, **dict(zip(names, scalars)))

        @staticmethod
        def setup_context(ctx, inputs, results):
            keep(ctx, inputs[0], inputs[1:], results)

        @staticmethod
        def backward(ctx, *grads):
            return back(ctx, grads)

    return Function, Transformed


def _in_graph(number, scalars, *operands):
    return _transformed[number].apply(scalars, *operands)


def _allow_in_graph():
    """Lets a graph have calls of _in_graph as they are, whose parts are put into it when torch.func's transforms are. What Dynamo itself makes
    of a function of autograd has no vmap."""
    torch.compiler.allow_in_graph(_in_graph)


_allow_in_graph._dynamo_marked_constant = True  # called while Dynamo traces, as by assume_constant_result, which would import it here


def _call_of(expr, overload, grad, decompose):
    """The operator as a function, a plain one, which is what torch.compile sees through: autograd's around the dispatcher's, where
    a gradient is wanted."""
    defaults = dict(expr.scalars)
    names = tuple(defaults)
    said = {scalar: value for scalar, value in defaults.items() if not _has_default(value)}  # by each call
    at_once = overload._op  # what the overload calls, of which Dynamo knows nothing
    is_traced = torch.compiler.is_dynamo_compiling
    may = tuple(operand in grad for operand in expr.operands)
    functions = []  # the two of autograd, and the number of the second, once they are made

    def differentiable():
        if not functions:
            backward = expr.gradient(*grad)
            floats = [operand for operand, integral in zip(backward.operands[len(may):], integral_results(expr)) if not integral]
            gradient = op(backward, grad=(*grad, *floats), decompose=decompose)
            functions.extend((*_functions_of(overload, gradient, names, may), len(_transformed)))
            _transformed.append(functions[1])
        return functions

    def differentiated(operands, scalars):
        for operand, allowed in zip(operands, may):
            if not allowed and getattr(operand, "requires_grad", False):
                raise ValueError(f"{call.__name__}: an operand requires a gradient and is not in grad={grad!r} of op()")
        outside, transformed, number = functions or differentiable()
        scalars = tuple({**defaults, **scalars}.values())
        if not torch._C._are_functorch_transforms_active():
            return outside.apply(scalars, *operands)
        if torch.compiler.is_compiling():
            _allow_in_graph()
            return _in_graph(number, scalars, *operands)
        return transformed.apply(scalars, *operands)

    # What it does costs about as much as a small kernel: each line counts.
    def call(*operands, **scalars):
        for scalar in scalars:
            if scalar not in defaults:
                raise TypeError(f"{call.__name__}: there is no scalar {scalar!r}")
        if said:
            scalars = {**said, **scalars}
        if forward_ad._current_level >= 0:
            refuse_tangents(call.__name__, operands)
        if torch.is_grad_enabled():
            for operand in operands:
                if getattr(operand, "requires_grad", False):
                    return differentiated(operands, scalars)
            # Dynamo of older versions says of no tensor within grad() that it requires one.
            if is_traced() and grad and torch._C._are_functorch_transforms_active():
                return differentiated(operands, scalars)
        if is_traced():
            return overload(*operands, **scalars)
        return at_once(*operands, **scalars)

    call.__name__ = call.__qualname__ = overload._schema.name.partition("::")[2]
    call.__doc__ = f"{overload._schema}\n\n{expr.__doc__}"
    call.overload, call.expr, call.grad = overload, expr, grad
    call.differentiable = differentiable
    return call


def op(function, name=None, *, grad=None, decompose=None):
    """An operator of torch of an expression: a text, what `libtileops.expr` gives, or an expression that has a name.

    name: of the operator, libtileops::NAME; else one that follows from the text.
    grad: names of the operands that may require gradients, () for none; else all, where there are derivatives. An operand
        of integers, such as labels, has none: leave it out.
    decompose: may Inductor take torch's functions for it, and so fuse it with its neighbours? Else what has no `name` is, on the CPU;
        True: on CUDA as well.
    """
    return define(function, name, grad, decompose=decompose if name is None or decompose else False)


def define(function, name=None, grad=None, prefix=None, decompose=None):
    """op(), with the first part of the name that follows from the text."""
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
    prefix = prefix or ("expr" if " " in expr.__name__ else expr.__name__)
    key = expr.text, name or prefix, tuple(grad), decompose
    if key not in _operators:
        _operators[key] = _call_of(expr, _overload(expr, name, prefix, decompose),
                                    tuple(operand for operand in expr.operands if operand in grad), decompose)
        # Operators of gradients are there before a trace, which cannot make them; those of gradients of gradients, which no
        # trace asks for, when they are needed.
        if grad and not expr.__name__.startswith("gradient of "):
            _operators[key].differentiable()
    return _operators[key]
