# Written by bindings/julia/generate.py from the C library's tables; `./dev bindings` writes it anew.

using .Runtime: apply, apply!, OP_EXP, OP_LOG, OP_SQRT, OP_RSQRT, OP_RECIPROCAL, OP_SIN, OP_COS,
    OP_ERF, OP_LOG1P, OP_EXPM1, OP_ABS, OP_NEG, OP_SIGN, OP_FLOOR, OP_CEIL, OP_TRUNC, OP_ROUND,
    OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REMAINDER, OP_FLOOR_DIVIDE, OP_POW, OP_LERP, OP_MAXIMUM,
    OP_MINIMUM, OP_RELU, OP_GELU, OP_SILU, OP_SIGMOID, OP_TANH, OP_LEAKY_RELU, OP_ELU, OP_SELU,
    OP_HARDSWISH, OP_HARDSIGMOID, OP_HARDTANH, OP_SOFTPLUS, OP_MISH, OP_PRELU, OP_SILU_AND_MUL,
    OP_GELU_AND_MUL, OP_GELU_TANH_AND_MUL, OP_EQ, OP_NE, OP_GT, OP_LT, OP_GE, OP_LE, OP_BITWISE_AND,
    OP_BITWISE_OR, OP_BITWISE_XOR, OP_BITWISE_NOT, OP_LOGICAL_AND, OP_LOGICAL_OR, OP_LOGICAL_NOT,
    OP_WHERE, OP_CLAMP, OP_MASKED_FILL, OP_NAN_TO_NUM, OP_ISNAN, OP_ISINF, OP_ISFINITE, OP_CAST,
    OP_ROPE_NEOX, OP_ROPE_NON_NEOX, OP_ROPE_LLAMA31, OP_ROPE_YARN, OP_ROPE_LONGROPE, OP_DROPOUT,
    OP_ALIBI, OP_SINUSOIDAL, OP_DROPOUT_MASK, OP_FMA, OP_EXP2, OP_LOG2, OP_LOGSIGMOID

# ------------------------------------------------------------------ unary_math -------------------

"""
    exp(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    exp!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    exp.(x)

e^x.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.exp.([0.0, 1.0])
2-element Vector{Float64}:
 1.0
 2.718281828459045
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Overflows to inf; exp(-inf) = 0.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.exp.
"""
exp(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_EXP, (x,), (fp8_overflow,); dtype=dtype, context=context)
exp!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_EXP, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc exp) exp!

"""
    log(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    log!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    log.(x)

natural logarithm; log(0) = -inf, NaN below.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

log(+-0) = -inf, log of anything below 0 is NaN.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.log.
"""
log(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_LOG, (x,), (fp8_overflow,); dtype=dtype, context=context)
log!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_LOG, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc log) log!

"""
    sqrt(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    sqrt!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    sqrt.(x)

square root.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

NaN below 0; sqrt(-0) = -0.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.sqrt.
"""
sqrt(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SQRT, (x,), (fp8_overflow,); dtype=dtype, context=context)
sqrt!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SQRT, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc sqrt) sqrt!

"""
    rsqrt(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    rsqrt!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    rsqrt.(x)

1/sqrt(x); rsqrt(0) = inf.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

rsqrt(+-0) = +-inf, rsqrt(inf) = 0, NaN below 0.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.rsqrt.
"""
rsqrt(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_RSQRT, (x,), (fp8_overflow,); dtype=dtype, context=context)
rsqrt!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_RSQRT, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc rsqrt) rsqrt!

"""
    reciprocal(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    reciprocal!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    reciprocal.(x)

1/x; reciprocal(-0) = -inf.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

reciprocal(+-0) = +-inf, reciprocal(+-inf) = +-0.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.reciprocal.
"""
reciprocal(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_RECIPROCAL, (x,), (fp8_overflow,); dtype=dtype, context=context)
reciprocal!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_RECIPROCAL, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc reciprocal) reciprocal!

"""
    sin(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    sin!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    sin.(x)

sine of x radians, for every finite x.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

The argument is reduced exactly, also where it is large; NaN for infinities.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.sin.
"""
sin(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SIN, (x,), (fp8_overflow,); dtype=dtype, context=context)
sin!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SIN, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc sin) sin!

"""
    cos(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    cos!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    cos.(x)

cosine of x radians, for every finite x.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

The argument is reduced exactly, also where it is large; NaN for infinities.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.cos.
"""
cos(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_COS, (x,), (fp8_overflow,); dtype=dtype, context=context)
cos!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_COS, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc cos) cos!

"""
    erf(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    erf!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    erf.(x)

error function.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

erf(+-inf) = +-1.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.erf.
"""
erf(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_ERF, (x,), (fp8_overflow,); dtype=dtype, context=context)
erf!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_ERF, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc erf) erf!

"""
    log1p(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    log1p!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    log1p.(x)

log(1 + x), accurate near 0.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

log1p(-1) = -inf, NaN below; log1p(-0) = -0.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.log1p.
"""
log1p(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_LOG1P, (x,), (fp8_overflow,); dtype=dtype, context=context)
log1p!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_LOG1P, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc log1p) log1p!

"""
    expm1(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    expm1!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    expm1.(x)

e^x - 1, accurate near 0.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

expm1(-inf) = -1; expm1(-0) = -0.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of another
dtype it is converted once: to a float by rounding to nearest even, to an integer toward zero
with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.expm1.
"""
expm1(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_EXPM1, (x,), (fp8_overflow,); dtype=dtype, context=context)
expm1!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_EXPM1, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc expm1) expm1!

"""
    abs(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    abs!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    abs.(x)

absolute value; abs(INT\\_MIN) wraps.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

The lowest signed integer has no positive counterpart and stays what it is.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.abs.
"""
abs(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_ABS, (x,), (fp8_overflow,); dtype=dtype, context=context)
abs!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_ABS, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc abs) abs!

"""
    neg(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    neg!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    neg.(x)

-x; integers wrap.

- `x`: float or integer
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

The lowest signed integer stays what it is; unsigned ones wrap around.

Operands and their shapes:

- x (float or integer): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.neg.
"""
neg(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_NEG, (x,), (fp8_overflow,); dtype=dtype, context=context)
neg!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_NEG, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc neg) neg!

"""
    sign(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    sign!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    sign.(x)

-1, 0 or 1; sign(NaN) = 0 as in PyTorch.

- `x`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

sign(-0) = 0. NaN gives 0, which keeps no trace of it.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.sign.
"""
sign(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SIGN, (x,), (fp8_overflow,); dtype=dtype, context=context)
sign!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SIGN, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc sign) sign!

"""
    floor(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    floor!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    floor.(x)

largest integer <= x.

- `x`: float or integer
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Integers, infinities and NaN are returned as they are.

Operands and their shapes:

- x (float or integer): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.floor.
"""
floor(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_FLOOR, (x,), (fp8_overflow,); dtype=dtype, context=context)
floor!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_FLOOR, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc floor) floor!

"""
    ceil(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    ceil!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    ceil.(x)

smallest integer >= x.

- `x`: float or integer
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Integers, infinities and NaN are returned as they are.

Operands and their shapes:

- x (float or integer): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.ceil.
"""
ceil(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_CEIL, (x,), (fp8_overflow,); dtype=dtype, context=context)
ceil!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_CEIL, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc ceil) ceil!

"""
    trunc(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    trunc!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    trunc.(x)

x without its fraction.

- `x`: float or integer
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Integers, infinities and NaN are returned as they are.

Operands and their shapes:

- x (float or integer): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.trunc.
"""
trunc(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_TRUNC, (x,), (fp8_overflow,); dtype=dtype, context=context)
trunc!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_TRUNC, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc trunc) trunc!

"""
    round(x; decimals=0, fp8_overflow=nothing, dtype=nothing, context=nothing)
    round!(y, x; decimals=0, fp8_overflow=nothing, context=nothing, stream=nothing)
    round.(x)

nearest integer, half to even; to `decimals` places.

- `x`: float or integer
- `decimals`: decimal places to round to; negative: left of the point; at most 22 either way, 10
  for floats of at most 32 bits
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.round([0.5, 1.25, 2.5]; decimals=1)
3-element Vector{Float64}:
 0.5
 1.2
 2.5
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Halves go to the even neighbour: 0.5 to 0, 1.5 to 2. Integers, infinities and NaN are returned
as they are, integers also for negative `decimals`.

Operands and their shapes:

- x (float or integer): any shape.
- y (result): the shape of the input.

Attributes:

- decimals (integer from -22 to 22; default 0): decimal places to round to; negative: left of
  the point; at most 22 either way, 10 for floats of at most 32 bits.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.round.
"""
round(x; decimals=0, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_ROUND, (x,), (decimals, fp8_overflow); dtype=dtype, context=context)
round!(y, x; decimals=0, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_ROUND, y, (x,), (decimals, fp8_overflow); context=context, stream=stream)
@doc (@doc round) round!

# ------------------------------------------------------------------ binary_arith -----------------

"""
    add(a, b; alpha=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing)
    add!(y, a, b; alpha=1.0, fp8_overflow=nothing, context=nothing, stream=nothing)
    add.(a, b)

a + alpha\\*b; bool: or.

- `a`: float or integer or Bool
- `b`: float or integer or Bool
- `alpha`: multiplier of the second operand, or of the negative branch
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.add([1 2; 3 4], [10, 20])
2×2 Matrix{Int64}:
 11  12
 23  24
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Integers wrap around. For integers `alpha` must be an integer of their dtype, or a negative
one of the signed dtype of that size; for floats a + alpha\\*b is rounded once.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- alpha (number; default 1): multiplier of the second operand, or of the negative branch.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.add.
"""
add(a, b; alpha=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_ADD, (a, b), (alpha, fp8_overflow); dtype=dtype, context=context)
add!(y, a, b; alpha=1.0, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_ADD, y, (a, b), (alpha, fp8_overflow); context=context, stream=stream)
@doc (@doc add) add!

"""
    sub(a, b; alpha=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing)
    sub!(y, a, b; alpha=1.0, fp8_overflow=nothing, context=nothing, stream=nothing)
    sub.(a, b)

a - alpha\\*b.

- `a`: float or integer
- `b`: float or integer
- `alpha`: multiplier of the second operand, or of the negative branch
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Integers wrap around. For integers `alpha` must be an integer of their dtype, or a negative
one of the signed dtype of that size; for floats a - alpha\\*b is rounded once.

Operands and their shapes:

- a (float or integer): any shape that broadcasts with the others, as in NumPy.
- b (float or integer): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- alpha (number; default 1): multiplier of the second operand, or of the negative branch.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.sub.
"""
sub(a, b; alpha=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SUB, (a, b), (alpha, fp8_overflow); dtype=dtype, context=context)
sub!(y, a, b; alpha=1.0, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SUB, y, (a, b), (alpha, fp8_overflow); context=context, stream=stream)
@doc (@doc sub) sub!

"""
    mul(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing)
    mul!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing)
    mul.(a, b)

a \\* b; bool: and.

- `a`: float or integer or Bool
- `b`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Integers wrap around.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.mul.
"""
mul(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_MUL, (a, b), (fp8_overflow,); dtype=dtype, context=context)
mul!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_MUL, y, (a, b), (fp8_overflow,); context=context, stream=stream)
@doc (@doc mul) mul!

"""
    div(a, b; rounding=nothing, fp8_overflow=nothing, dtype=nothing, context=nothing)
    div!(y, a, b; rounding=nothing, fp8_overflow=nothing, context=nothing, stream=nothing)
    div.(a, b)

a / b.

- `a`: float or integer or Bool
- `b`: float or integer or Bool
- `rounding`: how a quotient is rounded: not (none), toward zero (trunc) or down (floor); with
  trunc and floor integers stay integers. A cast to float8\\_e8m0fnu rounds to the nearest power
  of two (none), the next lower one (trunc, floor) or the next higher one (up): `:none` or
  `:trunc` or `:floor`
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.div([7, -7], 2; rounding=:floor)
2-element Vector{Int64}:
  3
 -4
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

rounding = none: the quotient, of integers and bool in float32; x/0 is +-inf, 0/0 NaN. trunc
and floor: the quotient rounded toward zero or down; integers stay integers, an integer
divided by 0 gives 0 without a trap, the lowest integer divided by -1 wraps around, and bool
is refused.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- rounding (none = 0, trunc = 1 or floor = 2; default none): how a quotient is rounded: not
  (none), toward zero (trunc) or down (floor); with trunc and floor integers stay integers. A
  cast to float8\\_e8m0fnu rounds to the nearest power of two (none), the next lower one
  (trunc, floor) or the next higher one (up).
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype, float32
for integers and bool unless a rounding is asked for. For an output of another dtype it is
converted once: to a float by rounding to nearest even, to an integer toward zero with
saturation (NaN gives 0), to bool by being other than 0.

Accuracy: floats are the exact quotient, rounded once. With trunc and floor, float32 and
float64 follow PyTorch's formula, whose steps round, without a promised bound
(docs/accuracy.md has what was measured).

Source: torch.div.
"""
div(a, b; rounding=nothing, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_DIV, (a, b), (rounding, fp8_overflow); dtype=dtype, context=context)
div!(y, a, b; rounding=nothing, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_DIV, y, (a, b), (rounding, fp8_overflow); context=context, stream=stream)
@doc (@doc div) div!

"""
    remainder(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing)
    remainder!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing)
    remainder.(a, b)

remainder with the sign of b, exact; x % 0 = NaN for floats.

- `a`: float or integer
- `b`: float or integer
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Exact also where the quotient is large. For floats x % 0 and inf % b are NaN, and a finite a
with infinite b gives a, or b where the signs differ. An integer % 0 is 0.

Operands and their shapes:

- a (float or integer): any shape that broadcasts with the others, as in NumPy.
- b (float or integer): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.remainder.
"""
remainder(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_REMAINDER, (a, b), (fp8_overflow,); dtype=dtype, context=context)
remainder!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_REMAINDER, y, (a, b), (fp8_overflow,); context=context, stream=stream)
@doc (@doc remainder) remainder!

"""
    floor_divide(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing)
    floor_divide!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing)
    floor_divide.(a, b)

floored quotient, PyTorch's fmod-based definition.

- `a`: float or integer
- `b`: float or integer
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

For floats (a - fmod(a, b))/b, corrected to the floor: not floor(a/b), whose division may
round up to an integer. x/0 is +-inf, 0/0 NaN. An integer divided by 0 gives 0; the lowest
integer divided by -1 wraps around.

Operands and their shapes:

- a (float or integer): any shape that broadcasts with the others, as in NumPy.
- b (float or integer): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: 8- and 16-bit results are the exact floor, rounded once. float32 and float64 follow
PyTorch's formula, whose steps round, without a promised bound (docs/accuracy.md has what was
measured).

Source: torch.floor\\_divide.
"""
floor_divide(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_FLOOR_DIVIDE, (a, b), (fp8_overflow,); dtype=dtype, context=context)
floor_divide!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_FLOOR_DIVIDE, y, (a, b), (fp8_overflow,); context=context, stream=stream)
@doc (@doc floor_divide) floor_divide!

"""
    pow(a, b=nothing; exponent=nothing, fp8_overflow=nothing, dtype=nothing, context=nothing)
    pow!(y, a, b=nothing; exponent=nothing, fp8_overflow=nothing, context=nothing,
         stream=nothing)
    pow.(a, b)

a^b with the IEEE special cases of C pow.

- `a`: float or integer
- `b`: float or integer, may be absent
- `exponent`: exponent, where it is not an operand
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.pow([1.0, 2.0, 3.0]; exponent=2)
3-element Vector{Float64}:
 1.0
 4.0
 9.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

pow(x, 0) = 1 and pow(1, y) = 1 for every x and y, NaN too; a negative base with an exponent
that is no integer gives NaN; pow(+-0, y) is +-inf or inf for negative y. Integers multiply
with wrap-around; a negative exponent gives 0, except for the bases 1 and -1. Either `b` or
`exponent` must be given, not both; for integers `exponent` must be an integer. Exponents 0.5,
2, 3, -0.5, -1 and -2 as attribute are computed by kernels of their own.

Operands and their shapes:

- a (float or integer): any shape that broadcasts with the others, as in NumPy.
- b (float or integer; optional): any shape that broadcasts with the others, as in NumPy; the
  attribute exponent stands in for it.
- y (result): the shape that the inputs broadcast to.

Attributes:

- exponent (number; optional): exponent, where it is not an operand.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.pow.
"""
pow(a, b=nothing; exponent=nothing, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_POW, (a, b), (exponent, fp8_overflow); dtype=dtype, context=context)
pow!(y, a, b=nothing; exponent=nothing, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_POW, y, (a, b), (exponent, fp8_overflow); context=context, stream=stream)
@doc (@doc pow) pow!

"""
    lerp(a, b, weight_tensor=nothing; weight=0.5, fp8_overflow=nothing, dtype=nothing,
         context=nothing)
    lerp!(y, a, b, weight_tensor=nothing; weight=0.5, fp8_overflow=nothing, context=nothing,
          stream=nothing)
    lerp.(a, b, weight_tensor)

a + weight\\*(b - a), exact at weight = 0 and 1 if b - a is finite, but for the sign of a zero.

- `a`: float
- `b`: float
- `weight_tensor`: float, may be absent
- `weight`: interpolation weight, where it is not an operand
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.lerp([0.0, 10.0], [10.0, 20.0]; weight=0.25)
2-element Vector{Float64}:
  2.5
 12.5
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

weight < 0.5: a + weight\\*(b - a); else b + (weight - 1)\\*(b - a). `weight` may lie outside
0 to 1. The operand `weight` replaces the attribute; both together are refused.

Operands and their shapes:

- a (float): any shape that broadcasts with the others, as in NumPy.
- b (float): any shape that broadcasts with the others, as in NumPy.
- weight (float; optional): any shape that broadcasts with the others, as in NumPy; the
  attribute weight stands in for it.
- y (result): the shape that the inputs broadcast to.

Attributes:

- weight (number; default 0.5): interpolation weight, where it is not an operand.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: 8- and 16-bit results of operands of the same dtype are the formula's exact value,
correctly rounded. In float32 and float64 its steps round, and b - a may cancel with a: no
bound in ulp of a small result.

Source: torch.lerp.
"""
lerp(a, b, weight_tensor=nothing; weight=0.5, fp8_overflow=nothing, dtype=nothing,
     context=nothing) =
    apply(OP_LERP, (a, b, weight_tensor), (weight, fp8_overflow); dtype=dtype, context=context)
lerp!(y, a, b, weight_tensor=nothing; weight=0.5, fp8_overflow=nothing, context=nothing,
      stream=nothing) =
    apply!(OP_LERP, y, (a, b, weight_tensor), (weight, fp8_overflow); context=context, stream=stream)
@doc (@doc lerp) lerp!

"""
    maximum(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing)
    maximum!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing)
    maximum.(a, b)

larger operand; NaN propagates, +0 > -0.

- `a`: float or integer or Bool
- `b`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.maximum, except that the sign of zero counts.
"""
maximum(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_MAXIMUM, (a, b), (fp8_overflow,); dtype=dtype, context=context)
maximum!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_MAXIMUM, y, (a, b), (fp8_overflow,); context=context, stream=stream)
@doc (@doc maximum) maximum!

"""
    minimum(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing)
    minimum!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing)
    minimum.(a, b)

smaller operand; NaN propagates, -0 < +0.

- `a`: float or integer or Bool
- `b`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.minimum, except that the sign of zero counts.
"""
minimum(a, b; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_MINIMUM, (a, b), (fp8_overflow,); dtype=dtype, context=context)
minimum!(y, a, b; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_MINIMUM, y, (a, b), (fp8_overflow,); context=context, stream=stream)
@doc (@doc minimum) minimum!

# ------------------------------------------------------------------ activation -------------------

"""
    relu(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    relu!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    relu.(x)

max(x, 0); NaN stays.

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.nn.functional.relu.
"""
relu(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_RELU, (x,), (fp8_overflow,); dtype=dtype, context=context)
relu!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_RELU, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc relu) relu!

"""
    gelu(x; approximate=:none, fp8_overflow=nothing, dtype=nothing, context=nothing)
    gelu!(y, x; approximate=:none, fp8_overflow=nothing, context=nothing, stream=nothing)
    gelu.(x)

x \\* Phi(x), or its tanh approximation.

- `x`: float
- `approximate`: formula of gelu: none is the exact one, tanh an approximation of it: `:none` or
  `:tanh`
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.gelu(Float32[0, 10])
2-element Vector{Float32}:
  0.0
 10.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Phi is the distribution function of the normal distribution, computed by erfc so that the left
tail keeps its digits. approximate = tanh: 0.5\\*x\\*(1 + tanh(sqrt(2/pi)\\*(x +
0.044715\\*x^3))), without cancellation on the left. gelu(-inf) = -0.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- approximate (none = 0 or tanh = 1; default none): formula of gelu: none is the exact one,
  tanh an approximation of it.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: Hendrycks and Gimpel, arXiv:1606.08415; torch.nn.functional.gelu.
"""
gelu(x; approximate=:none, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_GELU, (x,), (approximate, fp8_overflow); dtype=dtype, context=context)
gelu!(y, x; approximate=:none, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_GELU, y, (x,), (approximate, fp8_overflow); context=context, stream=stream)
@doc (@doc gelu) gelu!

"""
    silu(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    silu!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    silu.(x)

x / (1 + e^-x).

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Also called swish. silu(-inf) = -0.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: Hendrycks and Gimpel, arXiv:1606.08415; torch.nn.functional.silu.
"""
silu(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SILU, (x,), (fp8_overflow,); dtype=dtype, context=context)
silu!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SILU, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc silu) silu!

"""
    sigmoid(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    sigmoid!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    sigmoid.(x)

1 / (1 + e^-x).

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

sigmoid(-inf) = 0, sigmoid(inf) = 1.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.sigmoid.
"""
sigmoid(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SIGMOID, (x,), (fp8_overflow,); dtype=dtype, context=context)
sigmoid!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SIGMOID, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc sigmoid) sigmoid!

"""
    tanh(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    tanh!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    tanh.(x)

hyperbolic tangent.

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

tanh(+-inf) = +-1.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.tanh.
"""
tanh(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_TANH, (x,), (fp8_overflow,); dtype=dtype, context=context)
tanh!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_TANH, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc tanh) tanh!

"""
    leaky_relu(x; negative_slope=0.01, fp8_overflow=nothing, dtype=nothing, context=nothing)
    leaky_relu!(y, x; negative_slope=0.01, fp8_overflow=nothing, context=nothing,
                stream=nothing)
    leaky_relu.(x)

x > 0 ? x : negative\\_slope\\*x.

- `x`: float
- `negative_slope`: slope for x <= 0
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- negative\\_slope (number; default 0.01): slope for x <= 0.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.nn.functional.leaky\\_relu.
"""
leaky_relu(x; negative_slope=0.01, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_LEAKY_RELU, (x,), (negative_slope, fp8_overflow); dtype=dtype, context=context)
leaky_relu!(y, x; negative_slope=0.01, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_LEAKY_RELU, y, (x,), (negative_slope, fp8_overflow); context=context, stream=stream)
@doc (@doc leaky_relu) leaky_relu!

"""
    elu(x; alpha=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing)
    elu!(y, x; alpha=1.0, fp8_overflow=nothing, context=nothing, stream=nothing)
    elu.(x)

x > 0 ? x : alpha\\*expm1(x).

- `x`: float
- `alpha`: multiplier of the second operand, or of the negative branch
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

elu(-inf) = -alpha.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- alpha (number; default 1): multiplier of the second operand, or of the negative branch.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: Clevert et al., arXiv:1511.07289; torch.nn.functional.elu.
"""
elu(x; alpha=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_ELU, (x,), (alpha, fp8_overflow); dtype=dtype, context=context)
elu!(y, x; alpha=1.0, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_ELU, y, (x,), (alpha, fp8_overflow); context=context, stream=stream)
@doc (@doc elu) elu!

"""
    selu(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    selu!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    selu.(x)

1.0507009873554805 \\* (x > 0 ? x : 1.6732632423543772\\*expm1(x)).

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: Klambauer et al., arXiv:1706.02515; torch.nn.functional.selu.
"""
selu(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SELU, (x,), (fp8_overflow,); dtype=dtype, context=context)
selu!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SELU, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc selu) selu!

"""
    hardswish(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    hardswish!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    hardswish.(x)

x \\* clamp(x + 3, 0, 6) / 6; NaN stays.

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: Howard et al., MobileNetV3, arXiv:1905.02244; torch.nn.functional.hardswish.
"""
hardswish(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_HARDSWISH, (x,), (fp8_overflow,); dtype=dtype, context=context)
hardswish!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_HARDSWISH, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc hardswish) hardswish!

"""
    hardsigmoid(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    hardsigmoid!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    hardsigmoid.(x)

clamp(x + 3, 0, 6) / 6; NaN stays.

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.nn.functional.hardsigmoid.
"""
hardsigmoid(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_HARDSIGMOID, (x,), (fp8_overflow,); dtype=dtype, context=context)
hardsigmoid!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_HARDSIGMOID, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc hardsigmoid) hardsigmoid!

"""
    hardtanh(x; min_val=-1.0, max_val=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing)
    hardtanh!(y, x; min_val=-1.0, max_val=1.0, fp8_overflow=nothing, context=nothing,
              stream=nothing)
    hardtanh.(x)

clamp(x, min\\_val, max\\_val); NaN stays.

- `x`: float
- `min_val`: lower bound of hardtanh
- `max_val`: upper bound of hardtanh
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.hardtanh([-3.0, 0.5, 3.0])
3-element Vector{Float64}:
 -1.0
  0.5
  1.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

min\\_val above max\\_val gives max\\_val everywhere.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- min\\_val (number; default -1): lower bound of hardtanh.
- max\\_val (number; default 1): upper bound of hardtanh.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.nn.functional.hardtanh.
"""
hardtanh(x; min_val=-1.0, max_val=1.0, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_HARDTANH, (x,), (min_val, max_val, fp8_overflow); dtype=dtype, context=context)
hardtanh!(y, x; min_val=-1.0, max_val=1.0, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_HARDTANH, y, (x,), (min_val, max_val, fp8_overflow); context=context, stream=stream)
@doc (@doc hardtanh) hardtanh!

"""
    softplus(x; beta=1.0, threshold=20.0, fp8_overflow=nothing, dtype=nothing, context=nothing)
    softplus!(y, x; beta=1.0, threshold=20.0, fp8_overflow=nothing, context=nothing,
              stream=nothing)
    softplus.(x)

beta\\*x > threshold ? x : log1p(e^(beta\\*x))/beta.

- `x`: float
- `beta`: sharpness of softplus
- `threshold`: beta\\*x above which softplus is x
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- beta (number; default 1): sharpness of softplus.
- threshold (number; default 20): beta\\*x above which softplus is x.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: torch.nn.functional.softplus.
"""
softplus(x; beta=1.0, threshold=20.0, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SOFTPLUS, (x,), (beta, threshold, fp8_overflow); dtype=dtype, context=context)
softplus!(y, x; beta=1.0, threshold=20.0, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SOFTPLUS, y, (x,), (beta, threshold, fp8_overflow); context=context, stream=stream)
@doc (@doc softplus) softplus!

"""
    mish(x; fp8_overflow=nothing, dtype=nothing, context=nothing)
    mish!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing)
    mish.(x)

x \\* tanh(softplus(x)), algebraic form.

- `x`: float
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

mish(-inf) = -0.

Operands and their shapes:

- x (float): any shape.
- y (result): the shape of the input.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: Misra, arXiv:1908.08681; torch.nn.functional.mish.
"""
mish(x; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_MISH, (x,), (fp8_overflow,); dtype=dtype, context=context)
mish!(y, x; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_MISH, y, (x,), (fp8_overflow,); context=context, stream=stream)
@doc (@doc mish) mish!

"""
    prelu(x, weight; axis=nothing, fp8_overflow=nothing, dtype=nothing, context=nothing)
    prelu!(y, x, weight; axis=nothing, fp8_overflow=nothing, context=nothing, stream=nothing)

x > 0 ? x : weight[c]\\*x, c the index along `axis`; weight 0-d, (1,) or (C,).

`weight` has one element, or one for each index along `axis`. Left out, `axis` is the last but one
dimension: the channels of arrays with the batch last.

- `x`: float
- `weight`: float
- `axis`: channel dimension
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.prelu([-1.0 -2.0; 3.0 -4.0], [0.5, 0.25]; axis=2)
2×2 Matrix{Float64}:
 -0.5  -0.5
  3.0  -1.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float): any shape.
- weight (float): 0-d or (1,), one slope for all; or (C,), C being the size of x's dimension
  `axis`, which x must then have (for a 1-d x: axis = 0).
- y (result): the shape of x.

Attributes:

- axis (integer; default 1): dimension of the channels or of an index; -1 is the last one.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: He et al., arXiv:1502.01852; torch.nn.functional.prelu.
"""
prelu(x, weight; axis=nothing, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_PRELU, (x, weight), (axis, fp8_overflow); dtype=dtype, context=context)
prelu!(y, x, weight; axis=nothing, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_PRELU, y, (x, weight), (axis, fp8_overflow); context=context, stream=stream)
@doc (@doc prelu) prelu!

# ------------------------------------------------------------------ fused_gated ------------------

"""
    silu_and_mul(gate, value=nothing; fp8_overflow=nothing, dtype=nothing, context=nothing)
    silu_and_mul!(y, gate, value=nothing; fp8_overflow=nothing, context=nothing, stream=nothing)

silu(gate) \\* value.

Without `value` the first dimension of `gate` holds both: its first half is the gate, its second
the value, and the result has half its size.

- `gate`: float
- `value`: float, may be absent
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.silu_and_mul([0.0, 100.0, 3.0, 4.0])
2-element Vector{Float64}:
   0.0
 400.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Either both operands are given, or `gate` alone holds both packed along its last dimension: of
a shape (..., 2N) the first N elements of each row are the gate, the last N the value, and the
result is (..., N). The packed row may have any stride; nothing is copied.

silu(x) = x/(1 + e^-x). Not rounded between activation and product.

Operands and their shapes:

- gate (float): (..., N); without `value` (..., 2N), its last dimension even.
- value (float; optional): (..., N); broadcasts with `gate`.
- y (result): the broadcast shape (..., N).

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 3 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: vLLM: SiluAndMul. Shazeer, GLU variants improve transformer, arXiv:2002.05202.
"""
silu_and_mul(gate, value=nothing; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_SILU_AND_MUL, (gate, value), (fp8_overflow,); dtype=dtype, context=context)
silu_and_mul!(y, gate, value=nothing; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_SILU_AND_MUL, y, (gate, value), (fp8_overflow,); context=context, stream=stream)
@doc (@doc silu_and_mul) silu_and_mul!

"""
    gelu_and_mul(gate, value=nothing; fp8_overflow=nothing, dtype=nothing, context=nothing)
    gelu_and_mul!(y, gate, value=nothing; fp8_overflow=nothing, context=nothing, stream=nothing)

gelu(gate) \\* value.

Without `value` the first dimension of `gate` holds both: its first half is the gate, its second
the value, and the result has half its size.

- `gate`: float
- `value`: float, may be absent
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Either both operands are given, or `gate` alone holds both packed along its last dimension: of
a shape (..., 2N) the first N elements of each row are the gate, the last N the value, and the
result is (..., N). The packed row may have any stride; nothing is copied.

gelu(x) = x\\*Phi(x), the exact form. Not rounded between activation and product.

Operands and their shapes:

- gate (float): (..., N); without `value` (..., 2N), its last dimension even.
- value (float; optional): (..., N); broadcasts with `gate`.
- y (result): the broadcast shape (..., N).

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 3 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: vLLM: GeluAndMul. Shazeer, GLU variants improve transformer, arXiv:2002.05202.
"""
gelu_and_mul(gate, value=nothing; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_GELU_AND_MUL, (gate, value), (fp8_overflow,); dtype=dtype, context=context)
gelu_and_mul!(y, gate, value=nothing; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_GELU_AND_MUL, y, (gate, value), (fp8_overflow,); context=context, stream=stream)
@doc (@doc gelu_and_mul) gelu_and_mul!

"""
    gelu_tanh_and_mul(gate, value=nothing; fp8_overflow=nothing, dtype=nothing, context=nothing)
    gelu_tanh_and_mul!(y, gate, value=nothing; fp8_overflow=nothing, context=nothing,
                       stream=nothing)

gelu\\_tanh(gate) \\* value.

Without `value` the first dimension of `gate` holds both: its first half is the gate, its second
the value, and the result has half its size.

- `gate`: float
- `value`: float, may be absent
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Either both operands are given, or `gate` alone holds both packed along its last dimension: of
a shape (..., 2N) the first N elements of each row are the gate, the last N the value, and the
result is (..., N). The packed row may have any stride; nothing is copied.

gelu\\_tanh(x) = 0.5\\*x\\*(1 + tanh(sqrt(2/pi)\\*(x + 0.044715\\*x^3))). Not rounded between
activation and product.

Operands and their shapes:

- gate (float): (..., N); without `value` (..., 2N), its last dimension even.
- value (float; optional): (..., N); broadcasts with `gate`.
- y (result): the broadcast shape (..., N).

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: a float32 result is within 3 ulp of the exact one, a float64 result within 2 ulp. 8-
and 16-bit results of operands of their own dtype are the exact value, rounded once.

Source: vLLM: GeluAndMul with approximate = "tanh". Shazeer, GLU variants improve transformer,
arXiv:2002.05202.
"""
gelu_tanh_and_mul(gate, value=nothing; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_GELU_TANH_AND_MUL, (gate, value), (fp8_overflow,); dtype=dtype, context=context)
gelu_tanh_and_mul!(y, gate, value=nothing; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_GELU_TANH_AND_MUL, y, (gate, value), (fp8_overflow,); context=context, stream=stream)
@doc (@doc gelu_tanh_and_mul) gelu_tanh_and_mul!

# ------------------------------------------------------------------ comparison -------------------

"""
    eq(a, b; dtype=nothing, context=nothing)
    eq!(y, a, b; context=nothing, stream=nothing)
    eq.(a, b)

a == b.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

False where an operand is NaN; -0 equals +0.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
dtype gets 0 and 1.

Source: torch.eq.
"""
eq(a, b; dtype=nothing, context=nothing) =
    apply(OP_EQ, (a, b), (); dtype=dtype, context=context)
eq!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_EQ, y, (a, b), (); context=context, stream=stream)
@doc (@doc eq) eq!

"""
    ne(a, b; dtype=nothing, context=nothing)
    ne!(y, a, b; context=nothing, stream=nothing)
    ne.(a, b)

a != b; true for NaN.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

True where an operand is NaN; -0 equals +0.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
dtype gets 0 and 1.

Source: torch.ne.
"""
ne(a, b; dtype=nothing, context=nothing) =
    apply(OP_NE, (a, b), (); dtype=dtype, context=context)
ne!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_NE, y, (a, b), (); context=context, stream=stream)
@doc (@doc ne) ne!

"""
    gt(a, b; dtype=nothing, context=nothing)
    gt!(y, a, b; context=nothing, stream=nothing)
    gt.(a, b)

a > b.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

```jldoctest
julia> TileOps.gt([1, 2, 3], 2)
3-element Vector{Bool}:
 0
 0
 1
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

False where an operand is NaN.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
dtype gets 0 and 1.

Source: torch.gt.
"""
gt(a, b; dtype=nothing, context=nothing) =
    apply(OP_GT, (a, b), (); dtype=dtype, context=context)
gt!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_GT, y, (a, b), (); context=context, stream=stream)
@doc (@doc gt) gt!

"""
    lt(a, b; dtype=nothing, context=nothing)
    lt!(y, a, b; context=nothing, stream=nothing)
    lt.(a, b)

a < b.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

False where an operand is NaN.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
dtype gets 0 and 1.

Source: torch.lt.
"""
lt(a, b; dtype=nothing, context=nothing) =
    apply(OP_LT, (a, b), (); dtype=dtype, context=context)
lt!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_LT, y, (a, b), (); context=context, stream=stream)
@doc (@doc lt) lt!

"""
    ge(a, b; dtype=nothing, context=nothing)
    ge!(y, a, b; context=nothing, stream=nothing)
    ge.(a, b)

a >= b.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

False where an operand is NaN.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
dtype gets 0 and 1.

Source: torch.ge.
"""
ge(a, b; dtype=nothing, context=nothing) =
    apply(OP_GE, (a, b), (); dtype=dtype, context=context)
ge!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_GE, y, (a, b), (); context=context, stream=stream)
@doc (@doc ge) ge!

"""
    le(a, b; dtype=nothing, context=nothing)
    le!(y, a, b; context=nothing, stream=nothing)
    le.(a, b)

a <= b.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

False where an operand is NaN.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
dtype gets 0 and 1.

Source: torch.le.
"""
le(a, b; dtype=nothing, context=nothing) =
    apply(OP_LE, (a, b), (); dtype=dtype, context=context)
le!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_LE, y, (a, b), (); context=context, stream=stream)
@doc (@doc le) le!

# ------------------------------------------------------------------ bitwise ----------------------

"""
    bitwise_and(a, b; dtype=nothing, context=nothing)
    bitwise_and!(y, a, b; context=nothing, stream=nothing)
    bitwise_and.(a, b)

a & b.

- `a`: integer or Bool
- `b`: integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- a (integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Source: torch.bitwise\\_and.
"""
bitwise_and(a, b; dtype=nothing, context=nothing) =
    apply(OP_BITWISE_AND, (a, b), (); dtype=dtype, context=context)
bitwise_and!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_BITWISE_AND, y, (a, b), (); context=context, stream=stream)
@doc (@doc bitwise_and) bitwise_and!

"""
    bitwise_or(a, b; dtype=nothing, context=nothing)
    bitwise_or!(y, a, b; context=nothing, stream=nothing)
    bitwise_or.(a, b)

a | b.

- `a`: integer or Bool
- `b`: integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- a (integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Source: torch.bitwise\\_or.
"""
bitwise_or(a, b; dtype=nothing, context=nothing) =
    apply(OP_BITWISE_OR, (a, b), (); dtype=dtype, context=context)
bitwise_or!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_BITWISE_OR, y, (a, b), (); context=context, stream=stream)
@doc (@doc bitwise_or) bitwise_or!

"""
    bitwise_xor(a, b; dtype=nothing, context=nothing)
    bitwise_xor!(y, a, b; context=nothing, stream=nothing)
    bitwise_xor.(a, b)

a ^ b.

- `a`: integer or Bool
- `b`: integer or Bool

```jldoctest
julia> TileOps.bitwise_xor(UInt8[0x0f], UInt8[0xff])
1-element Vector{UInt8}:
 0xf0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- a (integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Source: torch.bitwise\\_xor.
"""
bitwise_xor(a, b; dtype=nothing, context=nothing) =
    apply(OP_BITWISE_XOR, (a, b), (); dtype=dtype, context=context)
bitwise_xor!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_BITWISE_XOR, y, (a, b), (); context=context, stream=stream)
@doc (@doc bitwise_xor) bitwise_xor!

"""
    bitwise_not(x; dtype=nothing, context=nothing)
    bitwise_not!(y, x; context=nothing, stream=nothing)
    bitwise_not.(x)

~x; bool: not.

- `x`: integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (integer or bool): any shape.
- y (result): the shape of the input.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Source: torch.bitwise\\_not.
"""
bitwise_not(x; dtype=nothing, context=nothing) =
    apply(OP_BITWISE_NOT, (x,), (); dtype=dtype, context=context)
bitwise_not!(y, x; context=nothing, stream=nothing) =
    apply!(OP_BITWISE_NOT, y, (x,), (); context=context, stream=stream)
@doc (@doc bitwise_not) bitwise_not!

# ------------------------------------------------------------------ logical ----------------------

"""
    logical_and(a, b; dtype=nothing, context=nothing)
    logical_and!(y, a, b; context=nothing, stream=nothing)
    logical_and.(a, b)

both non-zero; NaN is true.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: numbers count as true where they are not zero; NaN is true. The result is bool. An
output of another dtype gets 0 and 1.

Source: torch.logical\\_and.
"""
logical_and(a, b; dtype=nothing, context=nothing) =
    apply(OP_LOGICAL_AND, (a, b), (); dtype=dtype, context=context)
logical_and!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_LOGICAL_AND, y, (a, b), (); context=context, stream=stream)
@doc (@doc logical_and) logical_and!

"""
    logical_or(a, b; dtype=nothing, context=nothing)
    logical_or!(y, a, b; context=nothing, stream=nothing)
    logical_or.(a, b)

either non-zero; NaN is true.

- `a`: float or integer or Bool
- `b`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (result): the shape that the inputs broadcast to.

Dtypes: numbers count as true where they are not zero; NaN is true. The result is bool. An
output of another dtype gets 0 and 1.

Source: torch.logical\\_or.
"""
logical_or(a, b; dtype=nothing, context=nothing) =
    apply(OP_LOGICAL_OR, (a, b), (); dtype=dtype, context=context)
logical_or!(y, a, b; context=nothing, stream=nothing) =
    apply!(OP_LOGICAL_OR, y, (a, b), (); context=context, stream=stream)
@doc (@doc logical_or) logical_or!

"""
    logical_not(x; dtype=nothing, context=nothing)
    logical_not!(y, x; context=nothing, stream=nothing)
    logical_not.(x)

zero; NaN is true, so its negation is false.

- `x`: float or integer or Bool

```jldoctest
julia> TileOps.logical_not([0.0, 2.0])
2-element Vector{Bool}:
 1
 0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Dtypes: numbers count as true where they are not zero; NaN is true. The result is bool. An
output of another dtype gets 0 and 1.

Source: torch.logical\\_not.
"""
logical_not(x; dtype=nothing, context=nothing) =
    apply(OP_LOGICAL_NOT, (x,), (); dtype=dtype, context=context)
logical_not!(y, x; context=nothing, stream=nothing) =
    apply!(OP_LOGICAL_NOT, y, (x,), (); context=context, stream=stream)
@doc (@doc logical_not) logical_not!

# ------------------------------------------------------------------ special ----------------------

"""
    where(cond, x, y; fp8_overflow=nothing, dtype=nothing, context=nothing)
    where!(out, cond, x, y; fp8_overflow=nothing, context=nothing, stream=nothing)
    where.(cond, x, y)

cond ? x : y, bits kept if x, y and out are of one dtype.

- `cond`: bool
- `x`: float or integer or Bool
- `y`: float or integer or Bool
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.where([true, false], [1.0, 2.0], -1.0)
2-element Vector{Float64}:
  1.0
 -1.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

All three operands broadcast; x and y are promoted with each other.

Operands and their shapes:

- cond (bool): any shape that broadcasts with the others, as in NumPy.
- x (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- y (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
- out (result): the shape that the inputs broadcast to.

Attributes:

- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype; what
needs no conversion keeps its bits, also those of NaN. For an output of another dtype it is
converted once: to a float by rounding to nearest even, to an integer toward zero with
saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.where.
"""
var"where"(cond, x, y; fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_WHERE, (cond, x, y), (fp8_overflow,); dtype=dtype, context=context)
var"where!"(out, cond, x, y; fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_WHERE, out, (cond, x, y), (fp8_overflow,); context=context, stream=stream)
@doc (@doc var"where") var"where!"

"""
    clamp(x, min_tensor=nothing, max_tensor=nothing; min=nothing, max=nothing,
          fp8_overflow=nothing, dtype=nothing, context=nothing)
    clamp!(y, x, min_tensor=nothing, max_tensor=nothing; min=nothing, max=nothing,
           fp8_overflow=nothing, context=nothing, stream=nothing)
    clamp.(x, min_tensor, max_tensor)

min(max(x, min), max); NaN propagates; one bound may be absent.

- `x`: float or integer
- `min_tensor`: float or integer, may be absent
- `max_tensor`: float or integer, may be absent
- `min`: lower bound, where it is not an operand; absent: none
- `max`: upper bound, where it is not an operand; absent: none
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.clamp([-5, 0, 5]; min=-1, max=3)
3-element Vector{Int64}:
 -1
  0
  3
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Each bound may be an operand or an attribute, not both; one of the two bounds may be absent.
NaN in x or in a bound gives NaN. min above max gives max. For integers an attribute must be
an integer or infinite; one outside their dtype bounds nothing.

Operands and their shapes:

- x (float or integer): any shape that broadcasts with the others, as in NumPy.
- min (float or integer; optional): any shape that broadcasts with the others, as in NumPy;
  the attribute min stands in for it.
- max (float or integer; optional): any shape that broadcasts with the others, as in NumPy;
  the attribute max stands in for it.
- y (result): the shape that the inputs broadcast to.

Attributes:

- min (number; optional): lower bound, where it is not an operand; absent: none.
- max (number; optional): upper bound, where it is not an operand; absent: none.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
output of another dtype it is converted once: to a float by rounding to nearest even, to an
integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.clamp.
"""
clamp(x, min_tensor=nothing, max_tensor=nothing; min=nothing, max=nothing, fp8_overflow=nothing,
      dtype=nothing, context=nothing) =
    apply(OP_CLAMP, (x, min_tensor, max_tensor), (min, max, fp8_overflow); dtype=dtype, context=context)
clamp!(y, x, min_tensor=nothing, max_tensor=nothing; min=nothing, max=nothing,
       fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_CLAMP, y, (x, min_tensor, max_tensor), (min, max, fp8_overflow); context=context, stream=stream)
@doc (@doc clamp) clamp!

"""
    masked_fill(x, mask, value_tensor=nothing; value=nothing, fp8_overflow=nothing,
                dtype=nothing, context=nothing)
    masked_fill!(y, x, mask, value_tensor=nothing; value=nothing, fp8_overflow=nothing,
                 context=nothing, stream=nothing)
    masked_fill.(x, mask, value_tensor)

mask ? value : x; value is 0-d, taken in the type that x is computed in and converted once.

- `x`: float or integer or Bool
- `mask`: bool
- `value_tensor`: float or integer or Bool, may be absent
- `value`: fill value, where it is not an operand
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.masked_fill([1, 2], [true, false]; value=0)
2-element Vector{Int64}:
 0
 2
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

`value` is an operand or an attribute, not both; for integers the attribute must be an integer
of x's dtype.

Operands and their shapes:

- x (float, integer or bool): any shape that broadcasts with `mask`.
- mask (bool): any shape that broadcasts with x, also to a larger one.
- value (float, integer or bool; optional): 0-d; does not take part in promotion; the
  attribute value stands in for it.
- y (result): the broadcast shape of x and `mask`.

Attributes:

- value (number; optional): fill value, where it is not an operand.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x; what needs no conversion keeps its bits, also those of
NaN. For an output of another dtype it is converted once: to a float by rounding to nearest
even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.Tensor.masked\\_fill.
"""
masked_fill(x, mask, value_tensor=nothing; value=nothing, fp8_overflow=nothing, dtype=nothing,
            context=nothing) =
    apply(OP_MASKED_FILL, (x, mask, value_tensor), (value, fp8_overflow); dtype=dtype, context=context)
masked_fill!(y, x, mask, value_tensor=nothing; value=nothing, fp8_overflow=nothing,
             context=nothing, stream=nothing) =
    apply!(OP_MASKED_FILL, y, (x, mask, value_tensor), (value, fp8_overflow); context=context, stream=stream)
@doc (@doc masked_fill) masked_fill!

"""
    nan_to_num(x; nan=0.0, posinf=nothing, neginf=nothing, fp8_overflow=nothing, dtype=nothing,
               context=nothing)
    nan_to_num!(y, x; nan=0.0, posinf=nothing, neginf=nothing, fp8_overflow=nothing,
                context=nothing, stream=nothing)
    nan_to_num.(x)

replaces NaN and infinities; others unchanged.

- `x`: float or integer or Bool
- `nan`: replacement for NaN
- `posinf`: replacement for +inf; absent: the dtype's largest finite value
- `neginf`: replacement for -inf; absent: the dtype's lowest finite value
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.nan_to_num([NaN, Inf]; posinf=1e3)
2-element Vector{Float64}:
    0.0
 1000.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Integers and bool have nothing to replace and are returned as they are.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Attributes:

- nan (number; default 0): replacement for NaN.
- posinf (number; optional): replacement for +inf; absent: the dtype's largest finite value.
- neginf (number; optional): replacement for -inf; absent: the dtype's lowest finite value.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.nan\\_to\\_num.
"""
nan_to_num(x; nan=0.0, posinf=nothing, neginf=nothing, fp8_overflow=nothing, dtype=nothing,
           context=nothing) =
    apply(OP_NAN_TO_NUM, (x,), (nan, posinf, neginf, fp8_overflow); dtype=dtype, context=context)
nan_to_num!(y, x; nan=0.0, posinf=nothing, neginf=nothing, fp8_overflow=nothing, context=nothing,
            stream=nothing) =
    apply!(OP_NAN_TO_NUM, y, (x,), (nan, posinf, neginf, fp8_overflow); context=context, stream=stream)
@doc (@doc nan_to_num) nan_to_num!

"""
    isnan(x; dtype=nothing, context=nothing)
    isnan!(y, x; context=nothing, stream=nothing)
    isnan.(x)

x is NaN.

- `x`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

False for every integer and bool.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Dtypes: the result is bool. An output of another dtype gets 0 and 1.

Source: torch.isnan.
"""
isnan(x; dtype=nothing, context=nothing) =
    apply(OP_ISNAN, (x,), (); dtype=dtype, context=context)
isnan!(y, x; context=nothing, stream=nothing) =
    apply!(OP_ISNAN, y, (x,), (); context=context, stream=stream)
@doc (@doc isnan) isnan!

"""
    isinf(x; dtype=nothing, context=nothing)
    isinf!(y, x; context=nothing, stream=nothing)
    isinf.(x)

x is infinite.

- `x`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

False for every integer and bool, and for float8\\_e4m3fn, which has no infinity.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Dtypes: the result is bool. An output of another dtype gets 0 and 1.

Source: torch.isinf.
"""
isinf(x; dtype=nothing, context=nothing) =
    apply(OP_ISINF, (x,), (); dtype=dtype, context=context)
isinf!(y, x; context=nothing, stream=nothing) =
    apply!(OP_ISINF, y, (x,), (); context=context, stream=stream)
@doc (@doc isinf) isinf!

"""
    isfinite(x; dtype=nothing, context=nothing)
    isfinite!(y, x; context=nothing, stream=nothing)
    isfinite.(x)

x is neither NaN nor infinite.

- `x`: float or integer or Bool

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

True for every integer and bool.

Operands and their shapes:

- x (float, integer or bool): any shape.
- y (result): the shape of the input.

Dtypes: the result is bool. An output of another dtype gets 0 and 1.

Source: torch.isfinite.
"""
isfinite(x; dtype=nothing, context=nothing) =
    apply(OP_ISFINITE, (x,), (); dtype=dtype, context=context)
isfinite!(y, x; context=nothing, stream=nothing) =
    apply!(OP_ISFINITE, y, (x,), (); context=context, stream=stream)
@doc (@doc isfinite) isfinite!

"""
    cast(x; rounding=:none, fp8_overflow=nothing, dtype=nothing, context=nothing)
    cast!(y, x; rounding=:none, fp8_overflow=nothing, context=nothing, stream=nothing)
    cast.(x)

conversion; floats to integers truncate and saturate, NaN to 0; also copies strided memory.

- `x`: float or integer or Bool or scale or packed
- `rounding`: how a quotient is rounded: not (none), toward zero (trunc) or down (floor); with
  trunc and floor integers stay integers. A cast to float8\\_e8m0fnu rounds to the nearest power
  of two (none), the next lower one (trunc, floor) or the next higher one (up): `:none` or
  `:trunc` or `:floor` or `:up`
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.cast([1.75, -300.0]; dtype=Int8)
2-element Vector{Int8}:
    1
 -128
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

The output's dtype says what is converted to; with the dtype of x it copies, from any strides
to any strides, and keeps the bits.

float8\\_e8m0fnu has powers of two and NaN alone; code e is 2^(e - 127). A number becomes the
nearest one, 1.5\\*2^k the one above; with rounding = up that which is no smaller, with trunc
or floor that which is no larger. The sign is dropped; zero, and what would be less, becomes
2^-127. NaN stays NaN; infinity and what would be more than 2^127 become NaN, or 2^127 with
fp8\\_overflow = saturate. Other results take no `rounding`.

float4\\_e2m1fn has 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, two in a byte, the first
one low. A number becomes the nearest one, of two that with an even code (0.75 becomes 1, 5
becomes 4); what is larger becomes 6 with its sign, whatever fp8\\_overflow says, and NaN 0.
Its last dimension is even, with stride 1.

Operands and their shapes:

- x (float, integer, bool, scale or packed): any shape.
- y (result): the shape of the input.

Attributes:

- rounding (none = 0, trunc = 1, floor = 2 or up = 3; default none): how a quotient is
  rounded: not (none), toward zero (trunc) or down (floor); with trunc and floor integers stay
  integers. A cast to float8\\_e8m0fnu rounds to the nearest power of two (none), the next
  lower one (trunc, floor) or the next higher one (up).
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: any dtype to any other. The value is converted once: to a float by rounding to nearest
even, to an integer toward zero with saturation (NaN gives 0), to bool by being other than 0.

Accuracy: float results are the exact value, rounded once.

Source: torch.Tensor.to, which leaves floats beyond the range of an integer undefined, and
rounds numbers between 2^-127 and 1.5\\*2^-127 to the float8\\_e8m0fnu 2^-126; OCP
Microscaling Formats 1.0, 5.3.3.
"""
cast(x; rounding=:none, fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_CAST, (x,), (rounding, fp8_overflow); dtype=dtype, context=context)
cast!(y, x; rounding=:none, fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_CAST, y, (x,), (rounding, fp8_overflow); context=context, stream=stream)
@doc (@doc cast) cast!

# ------------------------------------------------------------------ rope -------------------------

"""
    rope_neox(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
              rotary_dim=nothing, base=10000.0, interleaved=0, fp8_overflow=nothing,
              dtype=nothing, context=nothing)
    rope_neox!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
               rotary_dim=nothing, base=10000.0, interleaved=0, fp8_overflow=nothing,
               context=nothing, stream=nothing)

rotary embedding, pairs (i, i + d/2).

The first dimension of `x` is the head's, which is rotated in pairs; `seq_axis` is the dimension
that positions run along, left out the second of two, else the third.

- `x`: float
- `position_ids`: int32 or int64, may be absent
- `cos`: float32, may be absent
- `sin`: float32, may be absent
- `seq_axis`: position dimension
- `offset`: added to positions; for dropout the Philox offset
- `rotary_dim`: leading part of the head that is rotated; absent: all of it
- `base`: base of the frequencies
- `interleaved`: 1: pairs of neighbours; 0: of elements half a head apart
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
(x1\\*cos - x2\\*sin, x2\\*cos + x1\\*sin) with cos and sin of position \\* f\\_i for pair i
of the d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
`rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs are
elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise f\\_i =
base^(-2i/d).

The position of an element is `offset` plus its index along dimension `seq_axis`, by default
the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
angles are right to float32 rounding for positions up to 2^31 in magnitude.

`cos` and `sin`, given together, replace the computed values: row p is that of position p, and
base, scalings and amplitudes have no effect. Without `position_ids` they need at least
offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
rotated elements; no memory outside the tables is read.

Operands and their shapes:

- x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
  `rotary_dim` is given.
- position\\_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
  dimension and `seq_axis` is not that dimension.
- cos (float32; optional): (positions, d/2).
- sin (float32; optional): (positions, d/2).
- y (result): the shape of x.

Attributes:

- seq\\_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
- offset (integer; default 0): added to positions; for dropout the Philox offset.
- rotary\\_dim (integer; optional): leading part of the head that is rotated; absent: all of
  it.
- base (number from 1 to 1e+300; default 10000): base of the frequencies.
- interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of |x1\\*cos| + |x2\\*sin|, the magnitude before
cancellation. Narrower results are the float32 value rounded once more.

Source: The pairing of GPT-NeoX, Llama and Hugging Face. Su et al., RoFormer,
arXiv:2104.09864.
"""
rope_neox(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
          rotary_dim=nothing, base=10000.0, interleaved=0, fp8_overflow=nothing, dtype=nothing,
          context=nothing) =
    apply(OP_ROPE_NEOX, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, fp8_overflow); dtype=dtype, context=context)
rope_neox!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
           rotary_dim=nothing, base=10000.0, interleaved=0, fp8_overflow=nothing, context=nothing,
           stream=nothing) =
    apply!(OP_ROPE_NEOX, y, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, fp8_overflow); context=context, stream=stream)
@doc (@doc rope_neox) rope_neox!

"""
    rope_non_neox(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
                  rotary_dim=nothing, base=10000.0, interleaved=1, fp8_overflow=nothing,
                  dtype=nothing, context=nothing)
    rope_non_neox!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing,
                   offset=0, rotary_dim=nothing, base=10000.0, interleaved=1,
                   fp8_overflow=nothing, context=nothing, stream=nothing)

rotary embedding, pairs (2i, 2i + 1).

The first dimension of `x` is the head's, which is rotated in pairs; `seq_axis` is the dimension
that positions run along, left out the second of two, else the third.

- `x`: float
- `position_ids`: int32 or int64, may be absent
- `cos`: float32, may be absent
- `sin`: float32, may be absent
- `seq_axis`: position dimension
- `offset`: added to positions; for dropout the Philox offset
- `rotary_dim`: leading part of the head that is rotated; absent: all of it
- `base`: base of the frequencies
- `interleaved`: 1: pairs of neighbours; 0: of elements half a head apart
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
(x1\\*cos - x2\\*sin, x2\\*cos + x1\\*sin) with cos and sin of position \\* f\\_i for pair i
of the d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
`rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs are
elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise f\\_i =
base^(-2i/d).

The position of an element is `offset` plus its index along dimension `seq_axis`, by default
the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
angles are right to float32 rounding for positions up to 2^31 in magnitude.

`cos` and `sin`, given together, replace the computed values: row p is that of position p, and
base, scalings and amplitudes have no effect. Without `position_ids` they need at least
offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
rotated elements; no memory outside the tables is read.

Operands and their shapes:

- x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
  `rotary_dim` is given.
- position\\_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
  dimension and `seq_axis` is not that dimension.
- cos (float32; optional): (positions, d/2).
- sin (float32; optional): (positions, d/2).
- y (result): the shape of x.

Attributes:

- seq\\_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
- offset (integer; default 0): added to positions; for dropout the Philox offset.
- rotary\\_dim (integer; optional): leading part of the head that is rotated; absent: all of
  it.
- base (number from 1 to 1e+300; default 10000): base of the frequencies.
- interleaved (integer 0 or 1; default 1): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of |x1\\*cos| + |x2\\*sin|, the magnitude before
cancellation. Narrower results are the float32 value rounded once more.

Source: The pairing of the paper and of GPT-J. Su et al., RoFormer, arXiv:2104.09864.
"""
rope_non_neox(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
              rotary_dim=nothing, base=10000.0, interleaved=1, fp8_overflow=nothing,
              dtype=nothing, context=nothing) =
    apply(OP_ROPE_NON_NEOX, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, fp8_overflow); dtype=dtype, context=context)
rope_non_neox!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
               rotary_dim=nothing, base=10000.0, interleaved=1, fp8_overflow=nothing,
               context=nothing, stream=nothing) =
    apply!(OP_ROPE_NON_NEOX, y, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, fp8_overflow); context=context, stream=stream)
@doc (@doc rope_non_neox) rope_non_neox!

"""
    rope_llama31(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
                 rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=8.0,
                 low_freq_factor=1.0, high_freq_factor=4.0, original_max_position=8192,
                 fp8_overflow=nothing, dtype=nothing, context=nothing)
    rope_llama31!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing,
                  offset=0, rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=8.0,
                  low_freq_factor=1.0, high_freq_factor=4.0, original_max_position=8192,
                  fp8_overflow=nothing, context=nothing, stream=nothing)

rotary embedding with the frequency scaling of Llama 3.1.

The first dimension of `x` is the head's, which is rotated in pairs; `seq_axis` is the dimension
that positions run along, left out the second of two, else the third.

- `x`: float
- `position_ids`: int32 or int64, may be absent
- `cos`: float32, may be absent
- `sin`: float32, may be absent
- `seq_axis`: position dimension
- `offset`: added to positions; for dropout the Philox offset
- `rotary_dim`: leading part of the head that is rotated; absent: all of it
- `base`: base of the frequencies
- `interleaved`: 1: pairs of neighbours; 0: of elements half a head apart
- `scale_factor`: context extension factor
- `low_freq_factor`: Llama 3.1 scaling
- `high_freq_factor`: Llama 3.1 scaling
- `original_max_position`: context length of the base model
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
(x1\\*cos - x2\\*sin, x2\\*cos + x1\\*sin) with cos and sin of position \\* f\\_i for pair i
of the d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
`rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs are
elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise f\\_i =
base^(-2i/d).

The position of an element is `offset` plus its index along dimension `seq_axis`, by default
the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
angles are right to float32 rounding for positions up to 2^31 in magnitude.

`cos` and `sin`, given together, replace the computed values: row p is that of position p, and
base, scalings and amplitudes have no effect. Without `position_ids` they need at least
offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
rotated elements; no memory outside the tables is read.

A frequency f with wavelength w = 2\\*pi/f stays f where w <
original\\_max\\_position/high\\_freq\\_factor, becomes f/scale\\_factor where w >
original\\_max\\_position/low\\_freq\\_factor, and between is (1 - s)\\*f/scale\\_factor +
s\\*f with s = (original\\_max\\_position/w - low\\_freq\\_factor)/(high\\_freq\\_factor -
low\\_freq\\_factor). low\\_freq\\_factor must be below high\\_freq\\_factor.

Operands and their shapes:

- x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
  `rotary_dim` is given.
- position\\_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
  dimension and `seq_axis` is not that dimension.
- cos (float32; optional): (positions, d/2).
- sin (float32; optional): (positions, d/2).
- y (result): the shape of x.

Attributes:

- seq\\_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
- offset (integer; default 0): added to positions; for dropout the Philox offset.
- rotary\\_dim (integer; optional): leading part of the head that is rotated; absent: all of
  it.
- base (number from 1 to 1e+300; default 10000): base of the frequencies.
- interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
- scale\\_factor (number from 1e-300 to 1e+300; default 8): context extension factor.
- low\\_freq\\_factor (number from 1e-300 to 1e+300; default 1): Llama 3.1 scaling.
- high\\_freq\\_factor (number from 1e-300 to 1e+300; default 4): Llama 3.1 scaling.
- original\\_max\\_position (integer from 1 to 4294967296; default 8192): context length of
  the base model.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of |x1\\*cos| + |x2\\*sin|, the magnitude before
cancellation. Narrower results are the float32 value rounded once more.

Source: The reference code of Llama 3.1; rope\\_type "llama3" of Hugging Face. Su et al.,
RoFormer, arXiv:2104.09864.
"""
rope_llama31(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
             rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=8.0,
             low_freq_factor=1.0, high_freq_factor=4.0, original_max_position=8192,
             fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_ROPE_LLAMA31, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, scale_factor, low_freq_factor, high_freq_factor, original_max_position, fp8_overflow); dtype=dtype, context=context)
rope_llama31!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
              rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=8.0,
              low_freq_factor=1.0, high_freq_factor=4.0, original_max_position=8192,
              fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_ROPE_LLAMA31, y, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, scale_factor, low_freq_factor, high_freq_factor, original_max_position, fp8_overflow); context=context, stream=stream)
@doc (@doc rope_llama31) rope_llama31!

"""
    rope_yarn(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
              rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=16.0,
              original_max_position=4096, beta_fast=32.0, beta_slow=1.0, attn_factor=1.0,
              fp8_overflow=nothing, dtype=nothing, context=nothing)
    rope_yarn!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
               rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=16.0,
               original_max_position=4096, beta_fast=32.0, beta_slow=1.0, attn_factor=1.0,
               fp8_overflow=nothing, context=nothing, stream=nothing)

rotary embedding with YaRN scaling (arXiv:2309.00071).

The first dimension of `x` is the head's, which is rotated in pairs; `seq_axis` is the dimension
that positions run along, left out the second of two, else the third.

- `x`: float
- `position_ids`: int32 or int64, may be absent
- `cos`: float32, may be absent
- `sin`: float32, may be absent
- `seq_axis`: position dimension
- `offset`: added to positions; for dropout the Philox offset
- `rotary_dim`: leading part of the head that is rotated; absent: all of it
- `base`: base of the frequencies
- `interleaved`: 1: pairs of neighbours; 0: of elements half a head apart
- `scale_factor`: context extension factor
- `original_max_position`: context length of the base model
- `beta_fast`: YaRN: rotations above which a dimension is not scaled
- `beta_slow`: YaRN: rotations below which a dimension is fully scaled
- `attn_factor`: YaRN: multiplies cos and sin
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
(x1\\*cos - x2\\*sin, x2\\*cos + x1\\*sin) with cos and sin of position \\* f\\_i for pair i
of the d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
`rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs are
elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise f\\_i =
base^(-2i/d).

The position of an element is `offset` plus its index along dimension `seq_axis`, by default
the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
angles are right to float32 rounding for positions up to 2^31 in magnitude.

`cos` and `sin`, given together, replace the computed values: row p is that of position p, and
base, scalings and amplitudes have no effect. Without `position_ids` they need at least
offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
rotated elements; no memory outside the tables is read.

With dim(r) = d\\*ln(original\\_max\\_position/(2\\*pi\\*r))/(2\\*ln(base)), low =
floor(dim(beta\\_fast)) and high = ceil(dim(beta\\_slow)), both clamped to 0 to d - 1, and t =
clamp((i - low)/(high - low), 0, 1): f\\_i becomes t\\*f\\_i/scale\\_factor + (1 - t)\\*f\\_i.
cos and sin are multiplied by attn\\_factor, which stays 1 unless given: the paper recommends
0.1\\*ln(scale\\_factor) + 1. base must be above 1.

Operands and their shapes:

- x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
  `rotary_dim` is given.
- position\\_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
  dimension and `seq_axis` is not that dimension.
- cos (float32; optional): (positions, d/2).
- sin (float32; optional): (positions, d/2).
- y (result): the shape of x.

Attributes:

- seq\\_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
- offset (integer; default 0): added to positions; for dropout the Philox offset.
- rotary\\_dim (integer; optional): leading part of the head that is rotated; absent: all of
  it.
- base (number from 1 to 1e+300; default 10000): base of the frequencies.
- interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
- scale\\_factor (number from 1e-300 to 1e+300; default 16): context extension factor.
- original\\_max\\_position (integer from 1 to 4294967296; default 4096): context length of
  the base model.
- beta\\_fast (number from 1e-300 to 1e+300; default 32): YaRN: rotations above which a
  dimension is not scaled.
- beta\\_slow (number from 1e-300 to 1e+300; default 1): YaRN: rotations below which a
  dimension is fully scaled.
- attn\\_factor (number; default 1): YaRN: multiplies cos and sin.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of |x1\\*cos| + |x2\\*sin|, the magnitude before
cancellation. Narrower results are the float32 value rounded once more.

Source: Peng et al., YaRN, arXiv:2309.00071; Hugging Face and vLLM. Su et al., RoFormer,
arXiv:2104.09864.
"""
rope_yarn(x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
          rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=16.0,
          original_max_position=4096, beta_fast=32.0, beta_slow=1.0, attn_factor=1.0,
          fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_ROPE_YARN, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, scale_factor, original_max_position, beta_fast, beta_slow, attn_factor, fp8_overflow); dtype=dtype, context=context)
rope_yarn!(y, x, position_ids=nothing, cos=nothing, sin=nothing; seq_axis=nothing, offset=0,
           rotary_dim=nothing, base=10000.0, interleaved=0, scale_factor=16.0,
           original_max_position=4096, beta_fast=32.0, beta_slow=1.0, attn_factor=1.0,
           fp8_overflow=nothing, context=nothing, stream=nothing) =
    apply!(OP_ROPE_YARN, y, (x, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, scale_factor, original_max_position, beta_fast, beta_slow, attn_factor, fp8_overflow); context=context, stream=stream)
@doc (@doc rope_yarn) rope_yarn!

"""
    rope_longrope(x, rescale_factors, position_ids=nothing, cos=nothing, sin=nothing;
                  seq_axis=nothing, offset=0, rotary_dim=nothing, base=10000.0, interleaved=0,
                  original_max_position=4096, max_position=131072, fp8_overflow=nothing,
                  dtype=nothing, context=nothing)
    rope_longrope!(y, x, rescale_factors, position_ids=nothing, cos=nothing, sin=nothing;
                   seq_axis=nothing, offset=0, rotary_dim=nothing, base=10000.0, interleaved=0,
                   original_max_position=4096, max_position=131072, fp8_overflow=nothing,
                   context=nothing, stream=nothing)

rotary embedding with LongRoPE's rescale factors (arXiv:2402.13753).

The first dimension of `x` is the head's, which is rotated in pairs; `seq_axis` is the dimension
that positions run along, left out the second of two, else the third.

- `x`: float
- `rescale_factors`: float32
- `position_ids`: int32 or int64, may be absent
- `cos`: float32, may be absent
- `sin`: float32, may be absent
- `seq_axis`: position dimension
- `offset`: added to positions; for dropout the Philox offset
- `rotary_dim`: leading part of the head that is rotated; absent: all of it
- `base`: base of the frequencies
- `interleaved`: 1: pairs of neighbours; 0: of elements half a head apart
- `original_max_position`: context length of the base model
- `max_position`: LongRoPE: extended context length
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
(x1\\*cos - x2\\*sin, x2\\*cos + x1\\*sin) with cos and sin of position \\* f\\_i for pair i
of the d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
`rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs are
elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise f\\_i =
base^(-2i/d).

The position of an element is `offset` plus its index along dimension `seq_axis`, by default
the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
angles are right to float32 rounding for positions up to 2^31 in magnitude.

`cos` and `sin`, given together, replace the computed values: row p is that of position p, and
base, scalings and amplitudes have no effect. Without `position_ids` they need at least
offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
rotated elements; no memory outside the tables is read.

f\\_i becomes f\\_i/r\\_i with the factors `rescale_factors`. With s =
max\\_position/original\\_max\\_position, cos and sin are multiplied by sqrt(1 +
ln(s)/ln(original\\_max\\_position)) if s > 1.

Operands and their shapes:

- x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
  `rotary_dim` is given.
- rescale\\_factors (float32): (d/2,), the factor r\\_i of each pair; all above 0, other
  values give NaN for their pair.
- position\\_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
  dimension and `seq_axis` is not that dimension.
- cos (float32; optional): (positions, d/2).
- sin (float32; optional): (positions, d/2).
- y (result): the shape of x.

Attributes:

- seq\\_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
- offset (integer; default 0): added to positions; for dropout the Philox offset.
- rotary\\_dim (integer; optional): leading part of the head that is rotated; absent: all of
  it.
- base (number from 1 to 1e+300; default 10000): base of the frequencies.
- interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
- original\\_max\\_position (integer from 1 to 4294967296; default 4096): context length of
  the base model.
- max\\_position (integer from 1 to 4294967296; default 131072): LongRoPE: extended context
  length.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: a float32 result is within 2 ulp of |x1\\*cos| + |x2\\*sin|, the magnitude before
cancellation. Narrower results are the float32 value rounded once more.

Source: Ding et al., LongRoPE, arXiv:2402.13753; Phi-3. Su et al., RoFormer, arXiv:2104.09864.
"""
rope_longrope(x, rescale_factors, position_ids=nothing, cos=nothing, sin=nothing;
              seq_axis=nothing, offset=0, rotary_dim=nothing, base=10000.0, interleaved=0,
              original_max_position=4096, max_position=131072, fp8_overflow=nothing,
              dtype=nothing, context=nothing) =
    apply(OP_ROPE_LONGROPE, (x, rescale_factors, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, original_max_position, max_position, fp8_overflow); dtype=dtype, context=context)
rope_longrope!(y, x, rescale_factors, position_ids=nothing, cos=nothing, sin=nothing;
               seq_axis=nothing, offset=0, rotary_dim=nothing, base=10000.0, interleaved=0,
               original_max_position=4096, max_position=131072, fp8_overflow=nothing,
               context=nothing, stream=nothing) =
    apply!(OP_ROPE_LONGROPE, y, (x, rescale_factors, position_ids, cos, sin), (seq_axis, offset, rotary_dim, base, interleaved, original_max_position, max_position, fp8_overflow); context=context, stream=stream)
@doc (@doc rope_longrope) rope_longrope!

# ------------------------------------------------------------------ dropout ----------------------

"""
    dropout(x, seed_offset=nothing; mask=false, p=0.5, seed=0, offset=0, training=1,
            fp8_overflow=nothing, dtype=nothing, context=nothing)
    dropout!(y, x, seed_offset=nothing; p=0.5, seed=0, offset=0, training=1,
             fp8_overflow=nothing, context=nothing, stream=nothing)

keep ? x/(1-p) : 0, keep by Philox4x32-10 of the element's index.

- `x`: float
- `seed_offset`: int64, may be absent
- `mask`: `true` to return it as well; in place, give `(y, mask)`
- `p`: probability of dropping an element
- `seed`: 64-bit Philox key
- `offset`: added to positions; for dropout the Philox offset
- `training`: 0: copy the input
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.dropout([1.0, 2.0]; training=false)
2-element Vector{Float64}:
 1.0
 2.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

y = x/(1 - p) where an element is kept, else 0 (for NaN and infinities too). Which are kept
follows from seed, offset and the element's row-major index i in the shape of x alone: not
from strides, threads, device or launch configuration. In the unsigned 32-bit words of
Philox4x32-10 with

- key = seed: its low half is k0, its high half k1
- counter = (i/4, offset), 64 bits each: c0 and c1 are the halves of i/4, the lower first, c2
  and c3 those of offset

element i has word i mod 4 of the four, and is kept where that word is at least p\\*2^32. p =
0 keeps all, p = 1 none. Seed and offset are 64-bit patterns: a negative one is the unsigned
number with the same bits. Calls with the same seed and different offsets have independent
masks, so that an offset that grows by 1 with each call is enough.

`seed_offset` holds both in memory of the plan's device and is read by each execution, so that
a captured graph can draw new masks; the attributes `seed` and `offset` must then not be
given. training = 0 copies x; the mask is then all true.

Operands and their shapes:

- x (float): any shape.
- seed\\_offset (int64; optional): (2,): element 0 is the seed, element 1 the offset.
- y (result): the shape of x.
- mask (second result, bool; optional): the shape of x; true where the element was kept.

Attributes:

- p (number from 0 to 1; default 0.5): probability of dropping an element.
- seed (integer; default 0): 64-bit Philox key.
- offset (integer; default 0): added to positions; for dropout the Philox offset.
- training (integer 0 or 1; default 1): 0: copy the input.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the result has the dtype of x. For an output of another dtype it is converted once: to
a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives 0),
to bool by being other than 0.

Accuracy: x/(1 - p) is rounded once; 1 - p is a float32 number, for float64 a float64 one.

Source: Srivastava et al., Dropout, JMLR 15 (2014); Salmon et al., Parallel random numbers: as
easy as 1, 2, 3, SC 2011. torch.nn.functional.dropout draws other masks.
"""
dropout(x, seed_offset=nothing; mask=false, p=0.5, seed=0, offset=0, training=1,
        fp8_overflow=nothing, dtype=nothing, context=nothing) =
    apply(OP_DROPOUT, (x, seed_offset), (p, seed, offset, training, fp8_overflow); dtype=dtype, context=context, optional=(mask,))
dropout!(y, x, seed_offset=nothing; p=0.5, seed=0, offset=0, training=1, fp8_overflow=nothing,
         context=nothing, stream=nothing) =
    apply!(OP_DROPOUT, y, (x, seed_offset), (p, seed, offset, training, fp8_overflow); context=context, stream=stream)
@doc (@doc dropout) dropout!

# ------------------------------------------------------------------ position ---------------------

"""
    alibi(size, slopes_tensor=nothing; causal=0, slopes=:paper, offset=0, fp8_overflow=nothing,
          dtype=nothing, context=nothing)
    alibi!(y, slopes_tensor=nothing; causal=0, slopes=:paper, offset=0, fp8_overflow=nothing,
           context=nothing, stream=nothing)

-slope[h] \\* |i + offset - j| for y of shape (H, Sq, Sk) (arXiv:2108.12409).

`size` is `(Sk, Sq, H)`: keys, queries, heads.

- `slopes_tensor`: float32, may be absent
- `causal`: 1: -inf above the diagonal
- `slopes`: head slopes: those of the paper, or 2^(-8(h+1)/H) for every H: `:paper` or
  `:geometric`
- `offset`: added to positions; for dropout the Philox offset
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.alibi((2, 2, 1))
2×2×1 Array{Float32, 3}:
[:, :, 1] =
 -0.0         -0.00390625
 -0.00390625  -0.0
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Bias for attention scores of H heads, Sq queries and Sk keys: y[h, i, j] = -slope[h] \\* |i +
offset - j|; with causal = 1 it is -inf where j > i + offset. `offset` is the position of the
first query, as for decoding with cached keys (Sk - Sq).

slopes = geometric: slope[h] = 2^(-8(h + 1)/H). slopes = paper: the same where H is a power of
two; else, with P the next lower power of two, heads below P have the slopes of P heads, and
head P + k has 2^(-8(2k + 1)/(2P)).

Operands and their shapes:

- slopes (float32; optional): (H,), in place of computed ones; the attribute `slopes` must
  then not be given. Without it H is at most 2^24.
- y (result): (H, Sq, Sk), as the caller gives it: there is no input to take it from.

Attributes:

- causal (integer 0 or 1; default 0): 1: -inf above the diagonal.
- slopes (paper = 0 or geometric = 1; default paper): head slopes: those of the paper, or
  2^(-8(h+1)/H) for every H.
- offset (integer from -4e+18 to 4e+18; default 0): added to positions; for dropout the Philox
  offset.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the output may be of any float dtype.

Accuracy: the product of slope and distance is within 1 ulp; computed slopes are float64
numbers rounded to the type computed in.

Source: Press et al., Train short, test long, arXiv:2108.12409.
"""
alibi(size, slopes_tensor=nothing; causal=0, slopes=:paper, offset=0, fp8_overflow=nothing,
      dtype=nothing, context=nothing) =
    apply(OP_ALIBI, (slopes_tensor,), (causal, slopes, offset, fp8_overflow); dtype=dtype, context=context, size=size)
alibi!(y, slopes_tensor=nothing; causal=0, slopes=:paper, offset=0, fp8_overflow=nothing,
       context=nothing, stream=nothing) =
    apply!(OP_ALIBI, y, (slopes_tensor,), (causal, slopes, offset, fp8_overflow); context=context, stream=stream)
@doc (@doc alibi) alibi!

"""
    sinusoidal(size; base=10000.0, offset=0, layout=:interleaved, fp8_overflow=nothing,
               dtype=nothing, context=nothing)
    sinusoidal!(y; base=10000.0, offset=0, layout=:interleaved, fp8_overflow=nothing,
                context=nothing, stream=nothing)

sin and cos of position/base^(2i/D) for y of shape (S, D) (arXiv:1706.03762).

`size` is `(D, S)`: features, positions.

- `base`: base of the frequencies
- `offset`: added to positions; for dropout the Philox offset
- `layout`: sines in even and cosines in odd columns, or in the first and the second half:
  `:interleaved` or `:halves`
- `fp8_overflow`: fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN
  (e4m3fn); operands of the output's dtype that are only selected keep their bits; absent:
  saturate for e4m3fn, else nonsaturating: `:saturate` or `:nonsaturating`

```jldoctest
julia> TileOps.sinusoidal((2, 2); dtype=Float64)
2×2 Matrix{Float64}:
 0.0  0.841471
 1.0  0.540302
```

# Extended help

The text of the C library's table. Its shapes are in row-major order: here dimensions come in the
reverse order, and the last one there is the first.

Position embedding: for row p, position p + offset, and column pair i the angle is position /
base^(2i/D). layout = interleaved: column 2i is its sine, column 2i + 1 its cosine. layout =
halves: column i is the sine, column D/2 + i the cosine.

Operands and their shapes:

- y (result): (S, D), as the caller gives it; D even and at most 2^24.

Attributes:

- base (number from 1 to 1e+300; default 10000): base of the frequencies.
- offset (integer; default 0): added to positions; for dropout the Philox offset.
- layout (interleaved = 0 or halves = 1; default interleaved): sines in even and cosines in
  odd columns, or in the first and the second half.
- fp8\\_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
  number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
  that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.

Dtypes: the output may be of any float dtype.

Accuracy: angles are within 2^-34 turn for positions up to 2^31 in magnitude; a float32 result
that is not next to a zero is within 1 ulp.

Source: Vaswani et al., Attention is all you need, arXiv:1706.03762 (interleaved);
tensor2tensor (halves).
"""
sinusoidal(size; base=10000.0, offset=0, layout=:interleaved, fp8_overflow=nothing, dtype=nothing,
           context=nothing) =
    apply(OP_SINUSOIDAL, (), (base, offset, layout, fp8_overflow); dtype=dtype, context=context, size=size)
sinusoidal!(y; base=10000.0, offset=0, layout=:interleaved, fp8_overflow=nothing, context=nothing,
            stream=nothing) =
    apply!(OP_SINUSOIDAL, y, (), (base, offset, layout, fp8_overflow); context=context, stream=stream)
@doc (@doc sinusoidal) sinusoidal!

# ------------------------------------------------------------------ of expressions ---------------

"""
    dropout_mask.(x; p=0.5, seed=0, offset=0)

mask of the operator dropout for an operand of x's shape.

- `p`: probability of dropping an element
- `seed`: 64-bit Philox key
- `offset`: added to positions; for dropout the Philox offset

For expressions alone: there is no `dropout_mask!`.
"""
dropout_mask(x; attributes...) =
    Runtime.elementwise(Runtime.Attributed(dropout_mask; attributes...), x)

"""
    fma.(a, b, c)

a \\* b + c, rounded once.

For expressions alone: there is no `fma!`.
"""
fma(a, b, c) =
    Runtime.elementwise(Runtime.Attributed(fma), a, b, c)

"""
    exp2.(x)

2^x.

For expressions alone: there is no `exp2!`.
"""
exp2(x) =
    Runtime.elementwise(Runtime.Attributed(exp2), x)

"""
    log2.(x)

base-2 logarithm.

For expressions alone: there is no `log2!`.
"""
log2(x) =
    Runtime.elementwise(Runtime.Attributed(log2), x)

"""
    logsigmoid.(x)

log(sigmoid(x)), right where sigmoid(x) is 0 or 1.

For expressions alone: there is no `logsigmoid!`.
"""
logsigmoid(x) =
    Runtime.elementwise(Runtime.Attributed(logsigmoid), x)

# ------------------------------------------------------------------ along dimensions -------------

using .Runtime: along, along!, first_dims

"""
    sum(x; dims=1, group=nothing, context=nothing)
    sum!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

sum along axes; of integers and bool in int64.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)

```jldoctest
julia> TileOps.sum([1 2; 3 4])
1×2 Matrix{Int64}:
 4  6
```
"""
sum(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:sum), (x,), dims, group, NamedTuple(); context=context)
sum!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:sum), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc sum) sum!

"""
    mean(x; dims=1, group=nothing, context=nothing)
    mean!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

mean along axes.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
"""
mean(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:mean), (x,), dims, group, NamedTuple(); context=context)
mean!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:mean), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc mean) mean!

"""
    amax(x; dims=1, group=nothing, context=nothing)
    amax!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

largest element along axes, or NaN if there is one.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)

```jldoctest
julia> TileOps.amax([1.0, 5.0, 2.0, 4.0, 3.0]; group=2)
3-element Vector{Float64}:
 5.0
 4.0
 3.0
```
"""
amax(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:amax), (x,), dims, group, NamedTuple(); context=context)
amax!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:amax), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc amax) amax!

"""
    amin(x; dims=1, group=nothing, context=nothing)
    amin!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

least element along axes, or NaN if there is one.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
"""
amin(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:amin), (x,), dims, group, NamedTuple(); context=context)
amin!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:amin), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc amin) amin!

"""
    prod(x; dims=1, group=nothing, context=nothing)
    prod!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

product along axes; of integers and bool in int64.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
"""
prod(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:prod), (x,), dims, group, NamedTuple(); context=context)
prod!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:prod), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc prod) prod!

"""
    any(x; dims=1, group=nothing, context=nothing)
    any!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

true where any element along axes is other than 0.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
"""
any(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:any), (x,), dims, group, NamedTuple(); context=context)
any!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:any), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc any) any!

"""
    all(x; dims=1, group=nothing, context=nothing)
    all!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

true where all elements along axes are other than 0.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
"""
all(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:all), (x,), dims, group, NamedTuple(); context=context)
all!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:all), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc all) all!

"""
    argmax(x; dims=1, group=nothing, context=nothing)
    argmax!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

index of the first largest element along axes, within its group.

It counts from 1, over several `dims` as `LinearIndices` of them.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)

```jldoctest
julia> TileOps.argmax([1 9; 7 3]; dims=2)
2×1 Matrix{Int64}:
 2
 1
```
"""
argmax(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:argmax), (x,), dims, group, NamedTuple(); context=context)
argmax!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:argmax), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc argmax) argmax!

"""
    argmin(x; dims=1, group=nothing, context=nothing)
    argmin!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

index of the first least element along axes, within its group.

It counts from 1, over several `dims` as `LinearIndices` of them.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
"""
argmin(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:argmin), (x,), dims, group, NamedTuple(); context=context)
argmin!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:argmin), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc argmin) argmin!

"""
    var(x; dims=1, group=nothing, correction=0, context=nothing)
    var!(y, x; dims=1, group=nothing, correction=0, context=nothing, stream=nothing)

variance along axes: squared deviations from the mean, summed, by their number less the correction.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
- `correction`: what is taken off the number of elements

```jldoctest
julia> TileOps.var([1.0 2.0; 3.0 6.0]; dims=:, correction=1)
1×1 Matrix{Float64}:
 4.666666666666667
```
"""
var(x; group=nothing, dims=first_dims(group), correction=0, context=nothing) =
    along(Val(:var), (x,), dims, group, (correction=correction,); context=context)
var!(y, x; group=nothing, dims=first_dims(group), correction=0, context=nothing, stream=nothing) =
    along!(Val(:var), y, (x,), dims, group, (correction=correction,); context=context, stream=stream)
@doc (@doc var) var!

"""
    logsumexp(x; dims=1, group=nothing, context=nothing)
    logsumexp!(y, x; dims=1, group=nothing, context=nothing, stream=nothing)

log(sum(exp(x))) along axes, also where exp(x) is too large or all are 0.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
"""
logsumexp(x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:logsumexp), (x,), dims, group, NamedTuple(); context=context)
logsumexp!(y, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:logsumexp), y, (x,), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc logsumexp) logsumexp!

"""
    spread(s, x; dims=1, group=nothing, context=nothing)
    spread!(y, s, x; dims=1, group=nothing, context=nothing, stream=nothing)

s brought to x's shape: broadcast, or each element of s for its group.

- `dims`: dimensions that it goes along: an integer, several in a tuple, or `:` for all; they
  stay, with size 1
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)

```jldoctest
julia> TileOps.spread([5.0, 4.0, 3.0], zeros(5); group=2)
5-element Vector{Float64}:
 5.0
 5.0
 4.0
 4.0
 3.0
```
"""
spread(s, x; group=nothing, dims=first_dims(group), context=nothing) =
    along(Val(:spread), (s, x), dims, group, NamedTuple(); context=context)
spread!(y, s, x; group=nothing, dims=first_dims(group), context=nothing, stream=nothing) =
    along!(Val(:spread), y, (s, x), dims, group, NamedTuple(); context=context, stream=stream)
@doc (@doc spread) spread!

"""
    gather(t, i...; dims=1, context=nothing)
    gather!(y, t, i...; dims=1, context=nothing, stream=nothing)

the elements of t at indices along axes, all other axes broadcast.

Indices count from 1, one array of them for each of `dims`; all other dimensions are broadcast. An
index that is 0 or less, or beyond the size, is outside: it gives NaN, of integers 0.

- `dims`: the dimension that it goes along, or a tuple with one for each index

```jldoctest
julia> TileOps.gather([10 20 30; 40 50 60], [3 1]; dims=2)
2×2 Matrix{Int64}:
 30  10
 60  40
```
"""
gather(t, i...; dims=1, context=nothing) =
    along(Val(:gather), (t, i...), dims, nothing, NamedTuple(); context=context)
gather!(y, t, i...; dims=1, context=nothing, stream=nothing) =
    along!(Val(:gather), y, (t, i...), dims, nothing, NamedTuple(); context=context, stream=stream)
@doc (@doc gather) gather!

"""
    scatter!(y, v, i...; dims=1, context=nothing, stream=nothing)

a result of which the elements at indices along axes are v, and others stay.

Indices count from 1, one array of them for each of `dims`; all other dimensions are broadcast. An
index that is 0 or less, or beyond the size, is outside: nothing is written there.

- `dims`: the dimension that it goes along, or a tuple with one for each index

```jldoctest
julia> TileOps.scatter!([0, 0, 0], [7, 8], [3, 1])
3-element Vector{Int64}:
 8
 0
 7
```
"""
scatter!(y, v, i...; dims=1, context=nothing, stream=nothing) =
    along!(Val(:scatter), y, (v, i...), dims, nothing, NamedTuple(); context=context, stream=stream)

"""
    tiled(s; rows=128, context=nothing)
    tiled!(y, s; rows=128, context=nothing, stream=nothing)

a result that has scales in the tiles of matrix libraries.

- `rows`: rows of a tile: 128 or 8
"""
tiled(s; rows=128, context=nothing) =
    along(Val(:tiled), (s,), nothing, nothing, (rows=rows,); context=context)
tiled!(y, s; rows=128, context=nothing, stream=nothing) =
    along!(Val(:tiled), y, (s,), nothing, nothing, (rows=rows,); context=context, stream=stream)
@doc (@doc tiled) tiled!

"""
    cumsum(x; dims=1, group=nothing, reverse=false, exclusive=false, context=nothing)
    cumsum!(y, x; dims=1, group=nothing, reverse=false, exclusive=false, context=nothing, stream=nothing)

sum of the elements up to each one along an axis; of integers and bool in int64.

- `dims`: the dimension that it goes along
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
- `reverse`: from the last element to the first
- `exclusive`: without the element itself
"""
cumsum(x; group=nothing, dims=first_dims(group), reverse=false, exclusive=false, context=nothing) =
    along(Val(:cumsum), (x,), dims, group, (reverse=reverse, exclusive=exclusive,); context=context)
cumsum!(y, x; group=nothing, dims=first_dims(group), reverse=false, exclusive=false,
        context=nothing, stream=nothing) =
    along!(Val(:cumsum), y, (x,), dims, group, (reverse=reverse, exclusive=exclusive,); context=context, stream=stream)
@doc (@doc cumsum) cumsum!

"""
    cumprod(x; dims=1, group=nothing, reverse=false, exclusive=false, context=nothing)
    cumprod!(y, x; dims=1, group=nothing, reverse=false, exclusive=false, context=nothing, stream=nothing)

product of the elements up to each one along an axis; of integers and bool in int64.

- `dims`: the dimension that it goes along
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
- `reverse`: from the last element to the first
- `exclusive`: without the element itself
"""
cumprod(x; group=nothing, dims=first_dims(group), reverse=false, exclusive=false, context=nothing) =
    along(Val(:cumprod), (x,), dims, group, (reverse=reverse, exclusive=exclusive,); context=context)
cumprod!(y, x; group=nothing, dims=first_dims(group), reverse=false, exclusive=false,
         context=nothing, stream=nothing) =
    along!(Val(:cumprod), y, (x,), dims, group, (reverse=reverse, exclusive=exclusive,); context=context, stream=stream)
@doc (@doc cumprod) cumprod!

"""
    cummax(x; dims=1, group=nothing, reverse=false, context=nothing)
    cummax!(y, x; dims=1, group=nothing, reverse=false, context=nothing, stream=nothing)

largest of the elements up to each one along an axis.

- `dims`: the dimension that it goes along
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
- `reverse`: from the last element to the first
"""
cummax(x; group=nothing, dims=first_dims(group), reverse=false, context=nothing) =
    along(Val(:cummax), (x,), dims, group, (reverse=reverse,); context=context)
cummax!(y, x; group=nothing, dims=first_dims(group), reverse=false, context=nothing,
        stream=nothing) =
    along!(Val(:cummax), y, (x,), dims, group, (reverse=reverse,); context=context, stream=stream)
@doc (@doc cummax) cummax!

"""
    cummin(x; dims=1, group=nothing, reverse=false, context=nothing)
    cummin!(y, x; dims=1, group=nothing, reverse=false, context=nothing, stream=nothing)

least of the elements up to each one along an axis.

- `dims`: the dimension that it goes along
- `group`: cuts a dimension into groups of so many elements, of which the last may be short; a
  tuple, with a number for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is
  said)
- `reverse`: from the last element to the first
"""
cummin(x; group=nothing, dims=first_dims(group), reverse=false, context=nothing) =
    along(Val(:cummin), (x,), dims, group, (reverse=reverse,); context=context)
cummin!(y, x; group=nothing, dims=first_dims(group), reverse=false, context=nothing,
        stream=nothing) =
    along!(Val(:cummin), y, (x,), dims, group, (reverse=reverse,); context=context, stream=stream)
@doc (@doc cummin) cummin!

# Those that `f.(x)` is one kernel for.
const Elementwise = Union{typeof(exp),
    typeof(log),
    typeof(sqrt),
    typeof(rsqrt),
    typeof(reciprocal),
    typeof(sin),
    typeof(cos),
    typeof(erf),
    typeof(log1p),
    typeof(expm1),
    typeof(abs),
    typeof(neg),
    typeof(sign),
    typeof(floor),
    typeof(ceil),
    typeof(trunc),
    typeof(round),
    typeof(add),
    typeof(sub),
    typeof(mul),
    typeof(div),
    typeof(remainder),
    typeof(floor_divide),
    typeof(pow),
    typeof(lerp),
    typeof(maximum),
    typeof(minimum),
    typeof(relu),
    typeof(gelu),
    typeof(silu),
    typeof(sigmoid),
    typeof(tanh),
    typeof(leaky_relu),
    typeof(elu),
    typeof(selu),
    typeof(hardswish),
    typeof(hardsigmoid),
    typeof(hardtanh),
    typeof(softplus),
    typeof(mish),
    typeof(eq),
    typeof(ne),
    typeof(gt),
    typeof(lt),
    typeof(ge),
    typeof(le),
    typeof(bitwise_and),
    typeof(bitwise_or),
    typeof(bitwise_xor),
    typeof(bitwise_not),
    typeof(logical_and),
    typeof(logical_or),
    typeof(logical_not),
    typeof(var"where"),
    typeof(clamp),
    typeof(masked_fill),
    typeof(nan_to_num),
    typeof(isnan),
    typeof(isinf),
    typeof(isfinite),
    typeof(cast),
    typeof(dropout_mask),
    typeof(fma),
    typeof(exp2),
    typeof(log2),
    typeof(logsigmoid)}

Runtime.Attributed(::typeof(exp); k...) = Runtime.Attributed(Val(:exp), OP_EXP; k...)
Runtime.Attributed(::typeof(log); k...) = Runtime.Attributed(Val(:log), OP_LOG; k...)
Runtime.Attributed(::typeof(sqrt); k...) = Runtime.Attributed(Val(:sqrt), OP_SQRT; k...)
Runtime.Attributed(::typeof(rsqrt); k...) = Runtime.Attributed(Val(:rsqrt), OP_RSQRT; k...)
Runtime.Attributed(::typeof(reciprocal); k...) = Runtime.Attributed(Val(:reciprocal), OP_RECIPROCAL; k...)
Runtime.Attributed(::typeof(sin); k...) = Runtime.Attributed(Val(:sin), OP_SIN; k...)
Runtime.Attributed(::typeof(cos); k...) = Runtime.Attributed(Val(:cos), OP_COS; k...)
Runtime.Attributed(::typeof(erf); k...) = Runtime.Attributed(Val(:erf), OP_ERF; k...)
Runtime.Attributed(::typeof(log1p); k...) = Runtime.Attributed(Val(:log1p), OP_LOG1P; k...)
Runtime.Attributed(::typeof(expm1); k...) = Runtime.Attributed(Val(:expm1), OP_EXPM1; k...)
Runtime.Attributed(::typeof(abs); k...) = Runtime.Attributed(Val(:abs), OP_ABS; k...)
Runtime.Attributed(::typeof(neg); k...) = Runtime.Attributed(Val(:neg), OP_NEG; k...)
Runtime.Attributed(::typeof(sign); k...) = Runtime.Attributed(Val(:sign), OP_SIGN; k...)
Runtime.Attributed(::typeof(floor); k...) = Runtime.Attributed(Val(:floor), OP_FLOOR; k...)
Runtime.Attributed(::typeof(ceil); k...) = Runtime.Attributed(Val(:ceil), OP_CEIL; k...)
Runtime.Attributed(::typeof(trunc); k...) = Runtime.Attributed(Val(:trunc), OP_TRUNC; k...)
Runtime.Attributed(::typeof(round); k...) = Runtime.Attributed(Val(:round), OP_ROUND; k...)
Runtime.Attributed(::typeof(add); k...) = Runtime.Attributed(Val(:add), OP_ADD; k...)
Runtime.Attributed(::typeof(sub); k...) = Runtime.Attributed(Val(:sub), OP_SUB; k...)
Runtime.Attributed(::typeof(mul); k...) = Runtime.Attributed(Val(:mul), OP_MUL; k...)
Runtime.Attributed(::typeof(div); k...) = Runtime.Attributed(Val(:div), OP_DIV; k...)
Runtime.Attributed(::typeof(remainder); k...) = Runtime.Attributed(Val(:remainder), OP_REMAINDER; k...)
Runtime.Attributed(::typeof(floor_divide); k...) = Runtime.Attributed(Val(:floor_divide), OP_FLOOR_DIVIDE; k...)
Runtime.Attributed(::typeof(pow); k...) = Runtime.Attributed(Val(:pow), OP_POW; k...)
Runtime.Attributed(::typeof(lerp); k...) = Runtime.Attributed(Val(:lerp), OP_LERP; k...)
Runtime.Attributed(::typeof(maximum); k...) = Runtime.Attributed(Val(:maximum), OP_MAXIMUM; k...)
Runtime.Attributed(::typeof(minimum); k...) = Runtime.Attributed(Val(:minimum), OP_MINIMUM; k...)
Runtime.Attributed(::typeof(relu); k...) = Runtime.Attributed(Val(:relu), OP_RELU; k...)
Runtime.Attributed(::typeof(gelu); k...) = Runtime.Attributed(Val(:gelu), OP_GELU; k...)
Runtime.Attributed(::typeof(silu); k...) = Runtime.Attributed(Val(:silu), OP_SILU; k...)
Runtime.Attributed(::typeof(sigmoid); k...) = Runtime.Attributed(Val(:sigmoid), OP_SIGMOID; k...)
Runtime.Attributed(::typeof(tanh); k...) = Runtime.Attributed(Val(:tanh), OP_TANH; k...)
Runtime.Attributed(::typeof(leaky_relu); k...) = Runtime.Attributed(Val(:leaky_relu), OP_LEAKY_RELU; k...)
Runtime.Attributed(::typeof(elu); k...) = Runtime.Attributed(Val(:elu), OP_ELU; k...)
Runtime.Attributed(::typeof(selu); k...) = Runtime.Attributed(Val(:selu), OP_SELU; k...)
Runtime.Attributed(::typeof(hardswish); k...) = Runtime.Attributed(Val(:hardswish), OP_HARDSWISH; k...)
Runtime.Attributed(::typeof(hardsigmoid); k...) = Runtime.Attributed(Val(:hardsigmoid), OP_HARDSIGMOID; k...)
Runtime.Attributed(::typeof(hardtanh); k...) = Runtime.Attributed(Val(:hardtanh), OP_HARDTANH; k...)
Runtime.Attributed(::typeof(softplus); k...) = Runtime.Attributed(Val(:softplus), OP_SOFTPLUS; k...)
Runtime.Attributed(::typeof(mish); k...) = Runtime.Attributed(Val(:mish), OP_MISH; k...)
Runtime.Attributed(::typeof(eq); k...) = Runtime.Attributed(Val(:eq), OP_EQ; k...)
Runtime.Attributed(::typeof(ne); k...) = Runtime.Attributed(Val(:ne), OP_NE; k...)
Runtime.Attributed(::typeof(gt); k...) = Runtime.Attributed(Val(:gt), OP_GT; k...)
Runtime.Attributed(::typeof(lt); k...) = Runtime.Attributed(Val(:lt), OP_LT; k...)
Runtime.Attributed(::typeof(ge); k...) = Runtime.Attributed(Val(:ge), OP_GE; k...)
Runtime.Attributed(::typeof(le); k...) = Runtime.Attributed(Val(:le), OP_LE; k...)
Runtime.Attributed(::typeof(bitwise_and); k...) = Runtime.Attributed(Val(:bitwise_and), OP_BITWISE_AND; k...)
Runtime.Attributed(::typeof(bitwise_or); k...) = Runtime.Attributed(Val(:bitwise_or), OP_BITWISE_OR; k...)
Runtime.Attributed(::typeof(bitwise_xor); k...) = Runtime.Attributed(Val(:bitwise_xor), OP_BITWISE_XOR; k...)
Runtime.Attributed(::typeof(bitwise_not); k...) = Runtime.Attributed(Val(:bitwise_not), OP_BITWISE_NOT; k...)
Runtime.Attributed(::typeof(logical_and); k...) = Runtime.Attributed(Val(:logical_and), OP_LOGICAL_AND; k...)
Runtime.Attributed(::typeof(logical_or); k...) = Runtime.Attributed(Val(:logical_or), OP_LOGICAL_OR; k...)
Runtime.Attributed(::typeof(logical_not); k...) = Runtime.Attributed(Val(:logical_not), OP_LOGICAL_NOT; k...)
Runtime.Attributed(::typeof(var"where"); k...) = Runtime.Attributed(Val(:where), OP_WHERE; k...)
Runtime.Attributed(::typeof(clamp); k...) = Runtime.Attributed(Val(:clamp), OP_CLAMP; k...)
Runtime.Attributed(::typeof(masked_fill); k...) = Runtime.Attributed(Val(:masked_fill), OP_MASKED_FILL; k...)
Runtime.Attributed(::typeof(nan_to_num); k...) = Runtime.Attributed(Val(:nan_to_num), OP_NAN_TO_NUM; k...)
Runtime.Attributed(::typeof(isnan); k...) = Runtime.Attributed(Val(:isnan), OP_ISNAN; k...)
Runtime.Attributed(::typeof(isinf); k...) = Runtime.Attributed(Val(:isinf), OP_ISINF; k...)
Runtime.Attributed(::typeof(isfinite); k...) = Runtime.Attributed(Val(:isfinite), OP_ISFINITE; k...)
Runtime.Attributed(::typeof(cast); k...) = Runtime.Attributed(Val(:cast), OP_CAST; k...)
Runtime.Attributed(::typeof(dropout_mask); k...) = Runtime.Attributed(Val(:dropout_mask), OP_DROPOUT_MASK; k...)
Runtime.Attributed(::typeof(fma); k...) = Runtime.Attributed(Val(:fma), OP_FMA; k...)
Runtime.Attributed(::typeof(exp2); k...) = Runtime.Attributed(Val(:exp2), OP_EXP2; k...)
Runtime.Attributed(::typeof(log2); k...) = Runtime.Attributed(Val(:log2), OP_LOG2; k...)
Runtime.Attributed(::typeof(logsigmoid); k...) = Runtime.Attributed(Val(:logsigmoid), OP_LOGSIGMOID; k...)

# Those that are of whole arrays, so that `f.(x)` is refused.
const OfArrays = Union{typeof(prelu),
    typeof(silu_and_mul),
    typeof(gelu_and_mul),
    typeof(gelu_tanh_and_mul),
    typeof(rope_neox),
    typeof(rope_non_neox),
    typeof(rope_llama31),
    typeof(rope_yarn),
    typeof(rope_longrope),
    typeof(dropout),
    typeof(alibi),
    typeof(sinusoidal),
    typeof(sum),
    typeof(mean),
    typeof(amax),
    typeof(amin),
    typeof(prod),
    typeof(any),
    typeof(all),
    typeof(argmax),
    typeof(argmin),
    typeof(var),
    typeof(logsumexp),
    typeof(spread),
    typeof(gather),
    typeof(tiled),
    typeof(cumsum),
    typeof(cumprod),
    typeof(cummax),
    typeof(cummin)}

