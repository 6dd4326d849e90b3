"""torch's own operators, computed by this library while `with libtileops.torch.use():` lasts, in the thread that it is in.

    with libtileops.torch.use() as calls:
        loss = model(x)
    calls["softmax"]  # how often the library has computed it

Gradients are torch's, of its own formulas. What the library does not take, of these arguments, is torch's as without.
"""

import collections
import contextlib
import threading

import torch

import libtileops

from .. import _core
from . import ops

# Operators of one operand, and those of two, that both sides call alike.
_UNARY = ("abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "erfc", "erfinv", "exp", "exp2", "expm1",
          "floor", "hardsigmoid", "hardswish", "lgamma", "log", "log10", "log1p", "log2", "mish", "neg", "reciprocal", "relu", "rsqrt",
          "round", "sigmoid", "sign", "silu", "sin", "sinc", "sinh", "sqrt", "tan", "tanh", "trunc")
_BINARY = ("add.Tensor", "atan2", "copysign.Tensor", "div.Tensor", "fmod.Tensor", "hypot", "logaddexp", "maximum", "minimum", "mul.Tensor",
           "remainder.Tensor", "sub.Tensor")
_KEYS = "CPU", "CUDA"
_REDUCTION = "none", "mean", "sum"
_FLOATS = torch.float16, torch.bfloat16, torch.float32, torch.float64


class _Refused(Exception):
    """torch computes it."""


def _expect(truth):
    if not truth:
        raise _Refused


def _mapped(function, *operands, **attributes):
    """An operator of the table, of floats; the result is laid out as torch would."""
    tensors = [operand for operand in operands if isinstance(operand, torch.Tensor)]
    first = tensors[0]
    for operand in tensors:
        _expect(operand.dtype == first.dtype and operand.device == first.device and operand.dim() > 0 and not operand.is_neg())
    _expect(first.dtype in _FLOATS)
    if any(not operand.is_contiguous() for operand in tensors):
        _expect(all(operand.shape == first.shape for operand in tensors))
        return function(*operands, out=torch.empty_like(first), **attributes)
    return function(*operands, **attributes)


def _unary(name):
    function = getattr(libtileops, name)
    return lambda x: _mapped(function, x)


def _binary(name):
    function = getattr(libtileops, name)

    def call(x, y, *, alpha=1):
        _expect(alpha == 1 and not isinstance(x, bool) and not isinstance(y, bool))
        return _mapped(function, x, y)
    return call


def _with_number(call, keys, x, y, **named):
    """torch's operator of two operands of which one is a number, as kernels in Python get those that torch has made tensors of. Beside a
    tensor of dimensions one without any counts as a number does, but where it is of a higher kind."""
    like = y if isinstance(y, torch.Tensor) else x
    bare = like.dim() == 0

    def tensor(value):
        if isinstance(value, torch.Tensor):
            return value.reshape(1) if bare else value
        kind = torch.bool if isinstance(value, bool) else torch.result_type(like, value)
        if like.dtype == kind and kind != torch.bool:
            kind = torch.float64 if isinstance(value, float) else torch.int64
        return torch.tensor(value, dtype=kind, device="cpu")
    result = call(keys, tensor(x), tensor(y), **named)
    return result.reshape(()) if bare else result


def _gelu(x, *, approximate="none"):
    return _mapped(libtileops.gelu, x, approximate=approximate)


def _leaky_relu(x, negative_slope=0.01):
    return _mapped(libtileops.leaky_relu, x, negative_slope=float(negative_slope))


def _elu(x, alpha=1, scale=1, input_scale=1):
    _expect(scale == 1 and input_scale == 1)
    return _mapped(libtileops.elu, x, alpha=float(alpha))


def _hardtanh(x, min_val=-1, max_val=1):
    return _mapped(libtileops.hardtanh, x, min_val=float(min_val), max_val=float(max_val))


def _softplus(x, beta=1, threshold=20):
    return _mapped(libtileops.softplus, x, beta=float(beta), threshold=float(threshold))


def _clamp(x, least=None, most=None):
    return _mapped(libtileops.clamp, x, min=None if least is None else float(least), max=None if most is None else float(most))


def _pow(x, exponent):
    _expect(isinstance(exponent, (int, float)))
    return _mapped(libtileops.pow, x, exponent=float(exponent))


def _lerp(x, end, weight):
    return _mapped(libtileops.lerp, x, end, weight=float(weight))


def _extreme(function):
    def call(x, dim, keepdim=False):
        return tuple(function(x, dim, keepdim))
    return call


def _gather(x, dim, index, *, sparse_grad=False):
    _expect(index.dtype == torch.int64 and _all_within(index, x.shape[dim] if x.dim() else 1))
    return ops.gather(x, dim, index)


def _index_select(x, dim, index):
    _expect(_all_within(index, x.shape[dim] if x.dim() else 1))
    return ops.index_select(x, dim, index)


def _all_within(index, extent):
    """Are all places of elements? torch raises where one is not; on a GPU the kernel does, and to look would wait for it."""
    return index.device.type == "cpu" and (index.numel() == 0 or 0 <= int(index.min()) and int(index.max()) < extent)


def _softmax(function):
    def call(x, dim, half_to_float):
        _expect(not half_to_float)
        return function(x, dim)
    return call


_LAYER_NORM = ("(x[.., n], w[n], b[n]; eps = 1e-5) -> "
               "{ m = mean(x); d = x - m; r = rsqrt(mean(d * d) + eps); d * r * w + b, m, r }")


def _native_layer_norm(x, shape, weight, bias, eps):
    _expect(weight is not None and bias is not None and len(shape) == 1 and tuple(x.shape[-1:]) == tuple(shape) and x.dtype in _FLOATS)
    _expect(weight.dtype == bias.dtype == x.dtype)
    if x.device.type != "cpu" and x.dtype != torch.float64:
        return libtileops.layer_norm_saved(x, weight, bias, eps=eps)  # which keeps statistics in float32, as torch does there
    return libtileops.expr(_LAYER_NORM)(x, weight, bias, eps=eps)


def _reduced(function):
    def call(x, y, reduction=1, *parameters):
        return function(x, y, _REDUCTION[reduction], *parameters)
    return call


def _vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return ops.vector_norm(x, ord, dim, keepdim, dtype=dtype)


_KERNELS = {
    **{name: _unary(name) for name in _UNARY},
    **{name: _binary(name.partition(".")[0]) for name in _BINARY},
    "gelu": _gelu, "leaky_relu": _leaky_relu, "elu": _elu, "hardtanh": _hardtanh, "softplus": _softplus, "clamp": _clamp,
    "pow.Tensor_Scalar": _pow, "lerp.Scalar": _lerp, "max.dim": _extreme(ops.max), "min.dim": _extreme(ops.min), "gather": _gather,
    "index_select": _index_select,
    "_softmax": _softmax(ops.softmax), "_log_softmax": _softmax(ops.log_softmax),
    "native_layer_norm": _native_layer_norm,
    "sum.dim_IntList": ops.sum, "nansum": ops.nansum, "mean.dim": ops.mean, "prod.dim_int": ops.prod, "amax": ops.amax, "amin": ops.amin,
    "argmax": ops.argmax, "argmin": ops.argmin, "logsumexp": ops.logsumexp, "linalg_vector_norm": _vector_norm,
    "any.dim": ops.any, "all.dim": ops.all, "var.correction": ops.var, "std.correction": ops.std, "cumsum": ops.cumsum, "cumprod": ops.cumprod,
    "mse_loss": _reduced(ops.mse_loss), "smooth_l1_loss": _reduced(ops.smooth_l1_loss), "huber_loss": _reduced(ops.huber_loss),
}


class _Thread(threading.local):
    def __init__(self):
        self.uses = []  # (names, calls) of the blocks that it is in, the innermost last


_thread = _Thread()
_lock = threading.Lock()
_blocks = 0  # that any thread is in
_library = None  # what is registered while there are any


def _kernel(name, function, original):
    public = name.partition(".")[0].lstrip("_")

    def kernel(keys, *arguments, **named):
        uses = _thread.uses
        if uses and (uses[-1][0] is None or public in uses[-1][0]):
            _thread.uses = []  # what it takes itself is torch's
            try:
                with torch.no_grad():  # gradients are taken care of above
                    results = function(*arguments, **named)
                uses[-1][1][public] += 1
                return results
            except (_core.DeviceError, _core.OutOfMemory):
                raise
            except (_Refused, _core.Error, TypeError, ValueError, IndexError, RuntimeError):
                pass
            finally:
                _thread.uses = uses
        if name in _BINARY and not all(isinstance(argument, torch.Tensor) for argument in arguments):
            return _with_number(original.call_boxed, keys, *arguments, **named)
        return original.call_boxed(keys, *arguments, **named)

    return kernel


def _register():
    library = torch.library.Library("aten", "IMPL")
    for name, function in _KERNELS.items():
        for key in _KEYS:
            try:
                original = torch.library.get_kernel(f"aten::{name}", key)
            except RuntimeError:  # a torch without CUDA
                continue
            library.impl(name, _kernel(name, function, original), key, with_keyset=True, allow_override=True)
    return library


def _enter():
    global _blocks, _library
    with _lock:
        if _blocks == 0:
            _library = _register()
        _blocks += 1


def _leave():
    global _blocks, _library
    with _lock:
        _blocks -= 1
        if _blocks == 0:
            _library._destroy()
            _library = None


@contextlib.contextmanager
def use(only=None):
    """Within it operators of torch are computed by this library where it can, on the CPU and on CUDA, in this thread.

    only: names of the functions that are, such as "softmax"; else all of use.names. The innermost block counts.
    Gives a Counter of the calls that the library has computed.
    """
    names = None if only is None else frozenset((only,) if isinstance(only, str) else only)
    unknown = sorted((names or frozenset()) - use.names)
    if unknown:
        raise ValueError(f"only: there is no {unknown[0]!r}")
    calls = collections.Counter()
    _enter()
    _thread.uses = [*_thread.uses, (names, calls)]
    try:
        yield calls
    finally:
        _thread.uses = _thread.uses[:-1]
        _leave()


use.names = frozenset(name.partition(".")[0].lstrip("_") for name in _KERNELS)
