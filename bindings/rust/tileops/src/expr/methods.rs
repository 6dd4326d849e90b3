// Written by `./dev bindings` from the tables of operators and functions; do not edit.

//! Functions of expressions, as methods of [`Node`], those along axes of [`Rows`] as well.

use super::macros::{method, methods};
use super::{Node, Rows, Term};

methods! { Node:
    /// e^x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Exp`](crate::ops::Exp).
    exp = EXP(),

    /// natural logarithm; log(0) = -inf, NaN below.
    ///
    /// Shapes, dtypes and attributes: [`ops::Log`](crate::ops::Log).
    log = LOG(),

    /// square root.
    ///
    /// Shapes, dtypes and attributes: [`ops::Sqrt`](crate::ops::Sqrt).
    sqrt = SQRT(),

    /// 1/sqrt(x); rsqrt(0) = inf.
    ///
    /// Shapes, dtypes and attributes: [`ops::Rsqrt`](crate::ops::Rsqrt).
    rsqrt = RSQRT(),

    /// 1/x; reciprocal(-0) = -inf.
    ///
    /// Shapes, dtypes and attributes: [`ops::Reciprocal`](crate::ops::Reciprocal).
    reciprocal = RECIPROCAL(),

    /// sine of x radians, for every finite x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Sin`](crate::ops::Sin).
    sin = SIN(),

    /// cosine of x radians, for every finite x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Cos`](crate::ops::Cos).
    cos = COS(),

    /// error function.
    ///
    /// Shapes, dtypes and attributes: [`ops::Erf`](crate::ops::Erf).
    erf = ERF(),

    /// log(1 + x), accurate near 0.
    ///
    /// Shapes, dtypes and attributes: [`ops::Log1p`](crate::ops::Log1p).
    log1p = LOG1P(),

    /// e^x - 1, accurate near 0.
    ///
    /// Shapes, dtypes and attributes: [`ops::Expm1`](crate::ops::Expm1).
    expm1 = EXPM1(),

    /// absolute value; abs(INT_MIN) wraps.
    ///
    /// Shapes, dtypes and attributes: [`ops::Abs`](crate::ops::Abs).
    abs = ABS(),

    /// -x; integers wrap.
    ///
    /// Shapes, dtypes and attributes: [`ops::Neg`](crate::ops::Neg).
    neg = NEG(),

    /// -1, 0 or 1; sign(NaN) = 0 as in PyTorch.
    ///
    /// Shapes, dtypes and attributes: [`ops::Sign`](crate::ops::Sign).
    sign = SIGN(),

    /// largest integer <= x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Floor`](crate::ops::Floor).
    floor = FLOOR(),

    /// smallest integer >= x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Ceil`](crate::ops::Ceil).
    ceil = CEIL(),

    /// x without its fraction.
    ///
    /// Shapes, dtypes and attributes: [`ops::Trunc`](crate::ops::Trunc).
    trunc = TRUNC(),

    /// nearest integer, half to even; to `decimals` places.
    ///
    /// Shapes, dtypes and attributes: [`ops::Round`](crate::ops::Round).
    round = ROUND(),

    /// tangent of x radians, for every finite x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Tan`](crate::ops::Tan).
    tan = TAN(),

    /// angle of \[-pi/2, pi/2\] whose sine is x; NaN beyond 1.
    ///
    /// Shapes, dtypes and attributes: [`ops::Asin`](crate::ops::Asin).
    asin = ASIN(),

    /// angle of \[0, pi\] whose cosine is x; NaN beyond 1.
    ///
    /// Shapes, dtypes and attributes: [`ops::Acos`](crate::ops::Acos).
    acos = ACOS(),

    /// angle of \[-pi/2, pi/2\] whose tangent is x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Atan`](crate::ops::Atan).
    atan = ATAN(),

    /// hyperbolic sine.
    ///
    /// Shapes, dtypes and attributes: [`ops::Sinh`](crate::ops::Sinh).
    sinh = SINH(),

    /// hyperbolic cosine.
    ///
    /// Shapes, dtypes and attributes: [`ops::Cosh`](crate::ops::Cosh).
    cosh = COSH(),

    /// inverse of sinh.
    ///
    /// Shapes, dtypes and attributes: [`ops::Asinh`](crate::ops::Asinh).
    asinh = ASINH(),

    /// inverse of cosh, from 0 on; NaN below 1.
    ///
    /// Shapes, dtypes and attributes: [`ops::Acosh`](crate::ops::Acosh).
    acosh = ACOSH(),

    /// inverse of tanh; NaN beyond 1.
    ///
    /// Shapes, dtypes and attributes: [`ops::Atanh`](crate::ops::Atanh).
    atanh = ATANH(),

    /// 2^x.
    ///
    /// Shapes, dtypes and attributes: [`ops::Exp2`](crate::ops::Exp2).
    exp2 = EXP2(),

    /// binary logarithm; log2(0) = -inf, NaN below.
    ///
    /// Shapes, dtypes and attributes: [`ops::Log2`](crate::ops::Log2).
    log2 = LOG2(),

    /// decimal logarithm; log10(0) = -inf, NaN below.
    ///
    /// Shapes, dtypes and attributes: [`ops::Log10`](crate::ops::Log10).
    log10 = LOG10(),

    /// cube root.
    ///
    /// Shapes, dtypes and attributes: [`ops::Cbrt`](crate::ops::Cbrt).
    cbrt = CBRT(),

    /// sin(pi x) / (pi x); sinc(0) = 1.
    ///
    /// Shapes, dtypes and attributes: [`ops::Sinc`](crate::ops::Sinc).
    sinc = SINC(),

    /// 1 - erf(x), right where that is next to nothing.
    ///
    /// Shapes, dtypes and attributes: [`ops::Erfc`](crate::ops::Erfc).
    erfc = ERFC(),

    /// inverse of erf; NaN beyond 1.
    ///
    /// Shapes, dtypes and attributes: [`ops::Erfinv`](crate::ops::Erfinv).
    erfinv = ERFINV(),

    /// logarithm of |Gamma(x)|.
    ///
    /// Shapes, dtypes and attributes: [`ops::Lgamma`](crate::ops::Lgamma).
    lgamma = LGAMMA(),

    /// a + alpha\*b; bool: or.
    ///
    /// Shapes, dtypes and attributes: [`ops::Add`](crate::ops::Add).
    add = ADD(b),

    /// a - alpha\*b.
    ///
    /// Shapes, dtypes and attributes: [`ops::Sub`](crate::ops::Sub).
    sub = SUB(b),

    /// a * b; bool: and.
    ///
    /// Shapes, dtypes and attributes: [`ops::Mul`](crate::ops::Mul).
    mul = MUL(b),

    /// a / b.
    ///
    /// Shapes, dtypes and attributes: [`ops::Div`](crate::ops::Div).
    div = DIV(b),

    /// remainder with the sign of b, exact; x % 0 = NaN for floats.
    ///
    /// Shapes, dtypes and attributes: [`ops::Remainder`](crate::ops::Remainder).
    remainder = REMAINDER(b),

    /// floored quotient, PyTorch's fmod-based definition.
    ///
    /// Shapes, dtypes and attributes: [`ops::FloorDivide`](crate::ops::FloorDivide).
    floor_divide = FLOOR_DIVIDE(b),

    /// a^b with the IEEE special cases of C pow. What is absent is `Term::ABSENT`: `b` may be.
    ///
    /// Shapes, dtypes and attributes: [`ops::Pow`](crate::ops::Pow).
    pow = POW(b),

    /// a + weight\*(b - a), exact at weight = 0 and 1 if b - a is finite, but for the sign of a
    /// zero. What is absent is `Term::ABSENT`: `weight` may be.
    ///
    /// Shapes, dtypes and attributes: [`ops::Lerp`](crate::ops::Lerp).
    lerp = LERP(b, weight),

    /// larger operand; NaN propagates, +0 > -0.
    ///
    /// Shapes, dtypes and attributes: [`ops::Maximum`](crate::ops::Maximum).
    maximum = MAXIMUM(b),

    /// smaller operand; NaN propagates, -0 < +0.
    ///
    /// Shapes, dtypes and attributes: [`ops::Minimum`](crate::ops::Minimum).
    minimum = MINIMUM(b),

    /// angle of the point (b, a), of \[-pi, pi\], with the special cases of C atan2.
    ///
    /// Shapes, dtypes and attributes: [`ops::Atan2`](crate::ops::Atan2).
    atan2 = ATAN2(b),

    /// sqrt(a^2 + b^2) without overflow on the way; infinite where an operand is.
    ///
    /// Shapes, dtypes and attributes: [`ops::Hypot`](crate::ops::Hypot).
    hypot = HYPOT(b),

    /// remainder with the sign of a, exact; fmod(x, 0) = NaN for floats.
    ///
    /// Shapes, dtypes and attributes: [`ops::Fmod`](crate::ops::Fmod).
    fmod = FMOD(b),

    /// a with the sign of b, which zeros have and NaNs not.
    ///
    /// Shapes, dtypes and attributes: [`ops::Copysign`](crate::ops::Copysign).
    copysign = COPYSIGN(b),

    /// the number of the operands' dtype next to a on the way to b; b where they are equal.
    ///
    /// Shapes, dtypes and attributes: [`ops::Nextafter`](crate::ops::Nextafter).
    nextafter = NEXTAFTER(b),

    /// log(e^a + e^b), also where e^a or e^b is too large.
    ///
    /// Shapes, dtypes and attributes: [`ops::Logaddexp`](crate::ops::Logaddexp).
    logaddexp = LOGADDEXP(b),

    /// max(x, 0); NaN stays.
    ///
    /// Shapes, dtypes and attributes: [`ops::Relu`](crate::ops::Relu).
    relu = RELU(),

    /// x * Phi(x), or its tanh approximation.
    ///
    /// Shapes, dtypes and attributes: [`ops::Gelu`](crate::ops::Gelu).
    gelu = GELU(),

    /// x / (1 + e^-x).
    ///
    /// Shapes, dtypes and attributes: [`ops::Silu`](crate::ops::Silu).
    silu = SILU(),

    /// 1 / (1 + e^-x).
    ///
    /// Shapes, dtypes and attributes: [`ops::Sigmoid`](crate::ops::Sigmoid).
    sigmoid = SIGMOID(),

    /// hyperbolic tangent.
    ///
    /// Shapes, dtypes and attributes: [`ops::Tanh`](crate::ops::Tanh).
    tanh = TANH(),

    /// x > 0 ? x : negative_slope\*x.
    ///
    /// Shapes, dtypes and attributes: [`ops::LeakyRelu`](crate::ops::LeakyRelu).
    leaky_relu = LEAKY_RELU(),

    /// x > 0 ? x : alpha\*expm1(x).
    ///
    /// Shapes, dtypes and attributes: [`ops::Elu`](crate::ops::Elu).
    elu = ELU(),

    /// 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772\*expm1(x)).
    ///
    /// Shapes, dtypes and attributes: [`ops::Selu`](crate::ops::Selu).
    selu = SELU(),

    /// x * clamp(x + 3, 0, 6) / 6; NaN stays.
    ///
    /// Shapes, dtypes and attributes: [`ops::Hardswish`](crate::ops::Hardswish).
    hardswish = HARDSWISH(),

    /// clamp(x + 3, 0, 6) / 6; NaN stays.
    ///
    /// Shapes, dtypes and attributes: [`ops::Hardsigmoid`](crate::ops::Hardsigmoid).
    hardsigmoid = HARDSIGMOID(),

    /// clamp(x, min_val, max_val); NaN stays.
    ///
    /// Shapes, dtypes and attributes: [`ops::Hardtanh`](crate::ops::Hardtanh).
    hardtanh = HARDTANH(),

    /// beta\*x > threshold ? x : log1p(e^(beta\*x))/beta.
    ///
    /// Shapes, dtypes and attributes: [`ops::Softplus`](crate::ops::Softplus).
    softplus = SOFTPLUS(),

    /// x * tanh(softplus(x)), algebraic form.
    ///
    /// Shapes, dtypes and attributes: [`ops::Mish`](crate::ops::Mish).
    mish = MISH(),

    /// log(sigmoid(x)), right where sigmoid(x) is 0 or 1.
    ///
    /// Shapes, dtypes and attributes: [`ops::Logsigmoid`](crate::ops::Logsigmoid).
    logsigmoid = LOGSIGMOID(),

    /// x / (1 + |x|).
    ///
    /// Shapes, dtypes and attributes: [`ops::Softsign`](crate::ops::Softsign).
    softsign = SOFTSIGN(),

    /// x > 0 ? x : alpha\*expm1(x/alpha).
    ///
    /// Shapes, dtypes and attributes: [`ops::Celu`](crate::ops::Celu).
    celu = CELU(),

    /// x - tanh(x), right near 0.
    ///
    /// Shapes, dtypes and attributes: [`ops::Tanhshrink`](crate::ops::Tanhshrink).
    tanhshrink = TANHSHRINK(),

    /// a == b.
    ///
    /// Shapes, dtypes and attributes: [`ops::Eq`](crate::ops::Eq).
    eq = EQ(b),

    /// a != b; true for NaN.
    ///
    /// Shapes, dtypes and attributes: [`ops::Ne`](crate::ops::Ne).
    ne = NE(b),

    /// a > b.
    ///
    /// Shapes, dtypes and attributes: [`ops::Gt`](crate::ops::Gt).
    gt = GT(b),

    /// a < b.
    ///
    /// Shapes, dtypes and attributes: [`ops::Lt`](crate::ops::Lt).
    lt = LT(b),

    /// a >= b.
    ///
    /// Shapes, dtypes and attributes: [`ops::Ge`](crate::ops::Ge).
    ge = GE(b),

    /// a <= b.
    ///
    /// Shapes, dtypes and attributes: [`ops::Le`](crate::ops::Le).
    le = LE(b),

    /// a & b.
    ///
    /// Shapes, dtypes and attributes: [`ops::BitwiseAnd`](crate::ops::BitwiseAnd).
    bitwise_and = BITWISE_AND(b),

    /// a | b.
    ///
    /// Shapes, dtypes and attributes: [`ops::BitwiseOr`](crate::ops::BitwiseOr).
    bitwise_or = BITWISE_OR(b),

    /// a ^ b.
    ///
    /// Shapes, dtypes and attributes: [`ops::BitwiseXor`](crate::ops::BitwiseXor).
    bitwise_xor = BITWISE_XOR(b),

    /// ~x; bool: not.
    ///
    /// Shapes, dtypes and attributes: [`ops::BitwiseNot`](crate::ops::BitwiseNot).
    bitwise_not = BITWISE_NOT(),

    /// a << b; 0 where b is negative or the number of bits or more.
    ///
    /// Shapes, dtypes and attributes: [`ops::BitwiseLeftShift`](crate::ops::BitwiseLeftShift).
    bitwise_left_shift = BITWISE_LEFT_SHIFT(b),

    /// a >> b, of a negative a the floor; where b is negative or the number of bits or more, 0 or
    /// -1.
    ///
    /// Shapes, dtypes and attributes: [`ops::BitwiseRightShift`](crate::ops::BitwiseRightShift).
    bitwise_right_shift = BITWISE_RIGHT_SHIFT(b),

    /// number of bits that are set, a negative x in two's complement.
    ///
    /// Shapes, dtypes and attributes: [`ops::Popcount`](crate::ops::Popcount).
    popcount = POPCOUNT(),

    /// both non-zero; NaN is true.
    ///
    /// Shapes, dtypes and attributes: [`ops::LogicalAnd`](crate::ops::LogicalAnd).
    logical_and = LOGICAL_AND(b),

    /// either non-zero; NaN is true.
    ///
    /// Shapes, dtypes and attributes: [`ops::LogicalOr`](crate::ops::LogicalOr).
    logical_or = LOGICAL_OR(b),

    /// zero; NaN is true, so its negation is false.
    ///
    /// Shapes, dtypes and attributes: [`ops::LogicalNot`](crate::ops::LogicalNot).
    logical_not = LOGICAL_NOT(),

    /// cond ? x : y, bits kept if x, y and out are of one dtype.
    ///
    /// Shapes, dtypes and attributes: [`ops::Where`](crate::ops::Where).
    where_ = WHERE(x, y),

    /// min(max(x, min), max); NaN propagates; one bound may be absent. What is absent is
    /// `Term::ABSENT`: `min` and `max` may be.
    ///
    /// Shapes, dtypes and attributes: [`ops::Clamp`](crate::ops::Clamp).
    clamp = CLAMP(min, max),

    /// mask ? value : x; value is 0-d, taken in the type that x is computed in and converted once.
    /// What is absent is `Term::ABSENT`: `value` may be.
    ///
    /// Shapes, dtypes and attributes: [`ops::MaskedFill`](crate::ops::MaskedFill).
    masked_fill = MASKED_FILL(mask, value),

    /// replaces NaN and infinities; others unchanged.
    ///
    /// Shapes, dtypes and attributes: [`ops::NanToNum`](crate::ops::NanToNum).
    nan_to_num = NAN_TO_NUM(),

    /// x is NaN.
    ///
    /// Shapes, dtypes and attributes: [`ops::Isnan`](crate::ops::Isnan).
    isnan = ISNAN(),

    /// x is infinite.
    ///
    /// Shapes, dtypes and attributes: [`ops::Isinf`](crate::ops::Isinf).
    isinf = ISINF(),

    /// x is neither NaN nor infinite.
    ///
    /// Shapes, dtypes and attributes: [`ops::Isfinite`](crate::ops::Isfinite).
    isfinite = ISFINITE(),

    /// conversion; floats to integers truncate and saturate, NaN to 0; also copies strided memory.
    ///
    /// Shapes, dtypes and attributes: [`ops::Cast`](crate::ops::Cast).
    cast = CAST(dtype),

    /// index of the element along an axis, counted from the end.
    index = INDEX(axis),

    /// number of elements along axes, counted from the end.
    extent = EXTENT(axis),

    /// mask of the operator dropout for an operand of x's shape. What is absent is `Term::ABSENT`:
    /// `p` and `seed` and `offset` may be.
    dropout_mask = DROPOUT_MASK(p, seed, offset),

    /// a * b + c, rounded once.
    fma = FMA(b, c),

    /// the i-th of n equal parts of the last axis.
    chunk = CHUNK(i, n),

    /// every n-th element of the last axis, from the i-th on.
    every = EVERY(i, n),

    /// a result that has the values one after the other along the last axis.
    concat = CONCAT(..x),

    /// a result that has the elements of the values in turns along the last axis.
    interleave = INTERLEAVE(..x),

    /// sum along axes; of integers and bool in int64.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    sum = SUM(),

    /// mean along axes.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    mean = MEAN(),

    /// largest element along axes, or NaN if there is one.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    amax = AMAX(),

    /// least element along axes, or NaN if there is one.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    amin = AMIN(),

    /// product along axes; of integers and bool in int64.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    prod = PROD(),

    /// true where any element along axes is other than 0.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    any = ANY(),

    /// true where all elements along axes are other than 0.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    all = ALL(),

    /// index of the first largest element along axes, within its group.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    argmax = ARGMAX(),

    /// index of the first least element along axes, within its group.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    argmin = ARGMIN(),

    /// variance along axes: squared deviations from the mean, summed, by their number less the
    /// correction.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    var = VAR(),

    /// log(sum(exp(x))) along axes, also where exp(x) is too large or all are 0.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    logsumexp = LOGSUMEXP(),

    /// s brought to x's shape: broadcast, or each element of s for its group.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    spread = SPREAD(x),

    /// x, summed where y was broadcast to its shape, of y's dtype.
    sum_to = SUM_TO(y),

    /// x, to which no gradient is passed.
    detach = DETACH(),

    /// the elements of t at indices along axes, all other axes broadcast.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    gather = GATHER(..t),

    /// a result of which the elements at indices along axes are v, and others stay.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    scatter = SCATTER(..v),

    /// a result of integers that has at indices along axes the sums of what v has for them, and
    /// elsewhere 0.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    scatter_add = SCATTER_ADD(..v),

    /// a result that is v where m is true; elsewhere what is there stays, untouched.
    store_if = STORE_IF(m),

    /// a result that has scales in the tiles of matrix libraries. What is absent is `Term::ABSENT`:
    /// `rows` may be.
    tiled = TILED(rows),

    /// sum of the elements up to each one along an axis; of integers and bool in int64.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    cumsum = CUMSUM(),

    /// product of the elements up to each one along an axis; of integers and bool in int64.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    cumprod = CUMPROD(),

    /// largest of the elements up to each one along an axis.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    cummax = CUMMAX(),

    /// least of the elements up to each one along an axis.
    /// Along the last axis; others, and groups, are said by [`Node::along`] and [`Node::group`].
    cummin = CUMMIN(),
}

methods! { Rows:
    /// number of elements along axes, counted from the end.
    extent = EXTENT(),

    /// sum along axes; of integers and bool in int64.
    sum = SUM(),

    /// mean along axes.
    mean = MEAN(),

    /// largest element along axes, or NaN if there is one.
    amax = AMAX(),

    /// least element along axes, or NaN if there is one.
    amin = AMIN(),

    /// product along axes; of integers and bool in int64.
    prod = PROD(),

    /// true where any element along axes is other than 0.
    any = ANY(),

    /// true where all elements along axes are other than 0.
    all = ALL(),

    /// index of the first largest element along axes, within its group.
    argmax = ARGMAX(),

    /// index of the first least element along axes, within its group.
    argmin = ARGMIN(),

    /// variance along axes: squared deviations from the mean, summed, by their number less the
    /// correction.
    var = VAR(),

    /// log(sum(exp(x))) along axes, also where exp(x) is too large or all are 0.
    logsumexp = LOGSUMEXP(),

    /// s brought to x's shape: broadcast, or each element of s for its group.
    spread = SPREAD(x),

    /// the elements of t at indices along axes, all other axes broadcast.
    gather = GATHER(..t),

    /// a result of which the elements at indices along axes are v, and others stay.
    scatter = SCATTER(..v),

    /// a result of integers that has at indices along axes the sums of what v has for them, and
    /// elsewhere 0.
    scatter_add = SCATTER_ADD(..v),

    /// sum of the elements up to each one along an axis; of integers and bool in int64.
    cumsum = CUMSUM(),

    /// product of the elements up to each one along an axis; of integers and bool in int64.
    cumprod = CUMPROD(),

    /// largest of the elements up to each one along an axis.
    cummax = CUMMAX(),

    /// least of the elements up to each one along an axis.
    cummin = CUMMIN(),
}
