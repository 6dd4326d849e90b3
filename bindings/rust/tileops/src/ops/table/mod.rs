// Written by `./dev bindings` from the operator table; do not edit.

mod activation;
mod binary_arith;
mod bitwise;
pub mod choices;
mod comparison;
mod dropout;
mod fused_gated;
mod logical;
mod position;
mod rope;
mod special;
mod unary_math;

pub use activation::*;
pub use binary_arith::*;
pub use bitwise::*;
pub use comparison::*;
pub use dropout::*;
pub use fused_gated::*;
pub use logical::*;
pub use position::*;
pub use rope::*;
pub use special::*;
pub use unary_math::*;

use crate::Op;
use tileops_sys::tileops_op;

/// Every operator, by name.
impl Op {
    /// `exp`: e^x.
    pub const EXP: Op = Op(tileops_op::EXP);
    /// `log`: natural logarithm; log(0) = -inf, NaN below.
    pub const LOG: Op = Op(tileops_op::LOG);
    /// `sqrt`: square root.
    pub const SQRT: Op = Op(tileops_op::SQRT);
    /// `rsqrt`: 1/sqrt(x); rsqrt(0) = inf.
    pub const RSQRT: Op = Op(tileops_op::RSQRT);
    /// `reciprocal`: 1/x; reciprocal(-0) = -inf.
    pub const RECIPROCAL: Op = Op(tileops_op::RECIPROCAL);
    /// `sin`: sine of x radians, for every finite x.
    pub const SIN: Op = Op(tileops_op::SIN);
    /// `cos`: cosine of x radians, for every finite x.
    pub const COS: Op = Op(tileops_op::COS);
    /// `erf`: error function.
    pub const ERF: Op = Op(tileops_op::ERF);
    /// `log1p`: log(1 + x), accurate near 0.
    pub const LOG1P: Op = Op(tileops_op::LOG1P);
    /// `expm1`: e^x - 1, accurate near 0.
    pub const EXPM1: Op = Op(tileops_op::EXPM1);
    /// `abs`: absolute value; abs(INT_MIN) wraps.
    pub const ABS: Op = Op(tileops_op::ABS);
    /// `neg`: -x; integers wrap.
    pub const NEG: Op = Op(tileops_op::NEG);
    /// `sign`: -1, 0 or 1; sign(NaN) = 0 as in PyTorch.
    pub const SIGN: Op = Op(tileops_op::SIGN);
    /// `floor`: largest integer <= x.
    pub const FLOOR: Op = Op(tileops_op::FLOOR);
    /// `ceil`: smallest integer >= x.
    pub const CEIL: Op = Op(tileops_op::CEIL);
    /// `trunc`: x without its fraction.
    pub const TRUNC: Op = Op(tileops_op::TRUNC);
    /// `round`: nearest integer, half to even; to `decimals` places.
    pub const ROUND: Op = Op(tileops_op::ROUND);
    /// `tan`: tangent of x radians, for every finite x.
    pub const TAN: Op = Op(tileops_op::TAN);
    /// `asin`: angle of \[-pi/2, pi/2\] whose sine is x; NaN beyond 1.
    pub const ASIN: Op = Op(tileops_op::ASIN);
    /// `acos`: angle of \[0, pi\] whose cosine is x; NaN beyond 1.
    pub const ACOS: Op = Op(tileops_op::ACOS);
    /// `atan`: angle of \[-pi/2, pi/2\] whose tangent is x.
    pub const ATAN: Op = Op(tileops_op::ATAN);
    /// `sinh`: hyperbolic sine.
    pub const SINH: Op = Op(tileops_op::SINH);
    /// `cosh`: hyperbolic cosine.
    pub const COSH: Op = Op(tileops_op::COSH);
    /// `asinh`: inverse of sinh.
    pub const ASINH: Op = Op(tileops_op::ASINH);
    /// `acosh`: inverse of cosh, from 0 on; NaN below 1.
    pub const ACOSH: Op = Op(tileops_op::ACOSH);
    /// `atanh`: inverse of tanh; NaN beyond 1.
    pub const ATANH: Op = Op(tileops_op::ATANH);
    /// `exp2`: 2^x.
    pub const EXP2: Op = Op(tileops_op::EXP2);
    /// `log2`: binary logarithm; log2(0) = -inf, NaN below.
    pub const LOG2: Op = Op(tileops_op::LOG2);
    /// `log10`: decimal logarithm; log10(0) = -inf, NaN below.
    pub const LOG10: Op = Op(tileops_op::LOG10);
    /// `cbrt`: cube root.
    pub const CBRT: Op = Op(tileops_op::CBRT);
    /// `sinc`: sin(pi x) / (pi x); sinc(0) = 1.
    pub const SINC: Op = Op(tileops_op::SINC);
    /// `erfc`: 1 - erf(x), right where that is next to nothing.
    pub const ERFC: Op = Op(tileops_op::ERFC);
    /// `erfinv`: inverse of erf; NaN beyond 1.
    pub const ERFINV: Op = Op(tileops_op::ERFINV);
    /// `lgamma`: logarithm of |Gamma(x)|.
    pub const LGAMMA: Op = Op(tileops_op::LGAMMA);
    /// `add`: a + alpha\*b; bool: or.
    pub const ADD: Op = Op(tileops_op::ADD);
    /// `sub`: a - alpha\*b.
    pub const SUB: Op = Op(tileops_op::SUB);
    /// `mul`: a * b; bool: and.
    pub const MUL: Op = Op(tileops_op::MUL);
    /// `div`: a / b.
    pub const DIV: Op = Op(tileops_op::DIV);
    /// `remainder`: remainder with the sign of b, exact; x % 0 = NaN for floats.
    pub const REMAINDER: Op = Op(tileops_op::REMAINDER);
    /// `floor_divide`: floored quotient, PyTorch's fmod-based definition.
    pub const FLOOR_DIVIDE: Op = Op(tileops_op::FLOOR_DIVIDE);
    /// `pow`: a^b with the IEEE special cases of C pow.
    pub const POW: Op = Op(tileops_op::POW);
    /// `lerp`: a + weight\*(b - a), exact at weight = 0 and 1 if b - a is finite, but for the sign
    /// of a zero.
    pub const LERP: Op = Op(tileops_op::LERP);
    /// `maximum`: larger operand; NaN propagates, +0 > -0.
    pub const MAXIMUM: Op = Op(tileops_op::MAXIMUM);
    /// `minimum`: smaller operand; NaN propagates, -0 < +0.
    pub const MINIMUM: Op = Op(tileops_op::MINIMUM);
    /// `atan2`: angle of the point (b, a), of \[-pi, pi\], with the special cases of C atan2.
    pub const ATAN2: Op = Op(tileops_op::ATAN2);
    /// `hypot`: sqrt(a^2 + b^2) without overflow on the way; infinite where an operand is.
    pub const HYPOT: Op = Op(tileops_op::HYPOT);
    /// `fmod`: remainder with the sign of a, exact; fmod(x, 0) = NaN for floats.
    pub const FMOD: Op = Op(tileops_op::FMOD);
    /// `copysign`: a with the sign of b, which zeros have and NaNs not.
    pub const COPYSIGN: Op = Op(tileops_op::COPYSIGN);
    /// `nextafter`: the number of the operands' dtype next to a on the way to b; b where they are
    /// equal.
    pub const NEXTAFTER: Op = Op(tileops_op::NEXTAFTER);
    /// `logaddexp`: log(e^a + e^b), also where e^a or e^b is too large.
    pub const LOGADDEXP: Op = Op(tileops_op::LOGADDEXP);
    /// `relu`: max(x, 0); NaN stays.
    pub const RELU: Op = Op(tileops_op::RELU);
    /// `gelu`: x * Phi(x), or its tanh approximation.
    pub const GELU: Op = Op(tileops_op::GELU);
    /// `silu`: x / (1 + e^-x).
    pub const SILU: Op = Op(tileops_op::SILU);
    /// `sigmoid`: 1 / (1 + e^-x).
    pub const SIGMOID: Op = Op(tileops_op::SIGMOID);
    /// `tanh`: hyperbolic tangent.
    pub const TANH: Op = Op(tileops_op::TANH);
    /// `leaky_relu`: x > 0 ? x : negative_slope\*x.
    pub const LEAKY_RELU: Op = Op(tileops_op::LEAKY_RELU);
    /// `elu`: x > 0 ? x : alpha\*expm1(x).
    pub const ELU: Op = Op(tileops_op::ELU);
    /// `selu`: 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772\*expm1(x)).
    pub const SELU: Op = Op(tileops_op::SELU);
    /// `hardswish`: x * clamp(x + 3, 0, 6) / 6; NaN stays.
    pub const HARDSWISH: Op = Op(tileops_op::HARDSWISH);
    /// `hardsigmoid`: clamp(x + 3, 0, 6) / 6; NaN stays.
    pub const HARDSIGMOID: Op = Op(tileops_op::HARDSIGMOID);
    /// `hardtanh`: clamp(x, min_val, max_val); NaN stays.
    pub const HARDTANH: Op = Op(tileops_op::HARDTANH);
    /// `softplus`: beta\*x > threshold ? x : log1p(e^(beta\*x))/beta.
    pub const SOFTPLUS: Op = Op(tileops_op::SOFTPLUS);
    /// `mish`: x * tanh(softplus(x)), algebraic form.
    pub const MISH: Op = Op(tileops_op::MISH);
    /// `prelu`: x > 0 ? x : weight\[c\]\*x, c the index along `axis`; weight 0-d, (1,) or (C,).
    pub const PRELU: Op = Op(tileops_op::PRELU);
    /// `logsigmoid`: log(sigmoid(x)), right where sigmoid(x) is 0 or 1.
    pub const LOGSIGMOID: Op = Op(tileops_op::LOGSIGMOID);
    /// `softsign`: x / (1 + |x|).
    pub const SOFTSIGN: Op = Op(tileops_op::SOFTSIGN);
    /// `celu`: x > 0 ? x : alpha\*expm1(x/alpha).
    pub const CELU: Op = Op(tileops_op::CELU);
    /// `tanhshrink`: x - tanh(x), right near 0.
    pub const TANHSHRINK: Op = Op(tileops_op::TANHSHRINK);
    /// `silu_and_mul`: silu(gate) * value.
    pub const SILU_AND_MUL: Op = Op(tileops_op::SILU_AND_MUL);
    /// `gelu_and_mul`: gelu(gate) * value.
    pub const GELU_AND_MUL: Op = Op(tileops_op::GELU_AND_MUL);
    /// `gelu_tanh_and_mul`: gelu_tanh(gate) * value.
    pub const GELU_TANH_AND_MUL: Op = Op(tileops_op::GELU_TANH_AND_MUL);
    /// `eq`: a == b.
    pub const EQ: Op = Op(tileops_op::EQ);
    /// `ne`: a != b; true for NaN.
    pub const NE: Op = Op(tileops_op::NE);
    /// `gt`: a > b.
    pub const GT: Op = Op(tileops_op::GT);
    /// `lt`: a < b.
    pub const LT: Op = Op(tileops_op::LT);
    /// `ge`: a >= b.
    pub const GE: Op = Op(tileops_op::GE);
    /// `le`: a <= b.
    pub const LE: Op = Op(tileops_op::LE);
    /// `bitwise_and`: a & b.
    pub const BITWISE_AND: Op = Op(tileops_op::BITWISE_AND);
    /// `bitwise_or`: a | b.
    pub const BITWISE_OR: Op = Op(tileops_op::BITWISE_OR);
    /// `bitwise_xor`: a ^ b.
    pub const BITWISE_XOR: Op = Op(tileops_op::BITWISE_XOR);
    /// `bitwise_not`: ~x; bool: not.
    pub const BITWISE_NOT: Op = Op(tileops_op::BITWISE_NOT);
    /// `bitwise_left_shift`: a << b; 0 where b is negative or the number of bits or more.
    pub const BITWISE_LEFT_SHIFT: Op = Op(tileops_op::BITWISE_LEFT_SHIFT);
    /// `bitwise_right_shift`: a >> b, of a negative a the floor; where b is negative or the number
    /// of bits or more, 0 or -1.
    pub const BITWISE_RIGHT_SHIFT: Op = Op(tileops_op::BITWISE_RIGHT_SHIFT);
    /// `popcount`: number of bits that are set, a negative x in two's complement.
    pub const POPCOUNT: Op = Op(tileops_op::POPCOUNT);
    /// `logical_and`: both non-zero; NaN is true.
    pub const LOGICAL_AND: Op = Op(tileops_op::LOGICAL_AND);
    /// `logical_or`: either non-zero; NaN is true.
    pub const LOGICAL_OR: Op = Op(tileops_op::LOGICAL_OR);
    /// `logical_not`: zero; NaN is true, so its negation is false.
    pub const LOGICAL_NOT: Op = Op(tileops_op::LOGICAL_NOT);
    /// `where`: cond ? x : y, bits kept if x, y and out are of one dtype.
    pub const WHERE: Op = Op(tileops_op::WHERE);
    /// `clamp`: min(max(x, min), max); NaN propagates; one bound may be absent.
    pub const CLAMP: Op = Op(tileops_op::CLAMP);
    /// `masked_fill`: mask ? value : x; value is 0-d, taken in the type that x is computed in and
    /// converted once.
    pub const MASKED_FILL: Op = Op(tileops_op::MASKED_FILL);
    /// `nan_to_num`: replaces NaN and infinities; others unchanged.
    pub const NAN_TO_NUM: Op = Op(tileops_op::NAN_TO_NUM);
    /// `isnan`: x is NaN.
    pub const ISNAN: Op = Op(tileops_op::ISNAN);
    /// `isinf`: x is infinite.
    pub const ISINF: Op = Op(tileops_op::ISINF);
    /// `isfinite`: x is neither NaN nor infinite.
    pub const ISFINITE: Op = Op(tileops_op::ISFINITE);
    /// `cast`: conversion; floats to integers truncate and saturate, NaN to 0; also copies strided
    /// memory.
    pub const CAST: Op = Op(tileops_op::CAST);
    /// `rope_neox`: rotary embedding, pairs (i, i + d/2).
    pub const ROPE_NEOX: Op = Op(tileops_op::ROPE_NEOX);
    /// `rope_non_neox`: rotary embedding, pairs (2i, 2i + 1).
    pub const ROPE_NON_NEOX: Op = Op(tileops_op::ROPE_NON_NEOX);
    /// `rope_llama31`: rotary embedding with the frequency scaling of Llama 3.1.
    pub const ROPE_LLAMA31: Op = Op(tileops_op::ROPE_LLAMA31);
    /// `rope_yarn`: rotary embedding with YaRN scaling (arXiv:2309.00071).
    pub const ROPE_YARN: Op = Op(tileops_op::ROPE_YARN);
    /// `rope_longrope`: rotary embedding with LongRoPE's rescale factors (arXiv:2402.13753).
    pub const ROPE_LONGROPE: Op = Op(tileops_op::ROPE_LONGROPE);
    /// `dropout`: keep ? x/(1-p) : 0, keep by Philox4x32-10 of the element's index.
    pub const DROPOUT: Op = Op(tileops_op::DROPOUT);
    /// `alibi`: -slope\[h\] * |i + offset - j| for y of shape (H, Sq, Sk) (arXiv:2108.12409).
    pub const ALIBI: Op = Op(tileops_op::ALIBI);
    /// `sinusoidal`: sin and cos of position/base^(2i/D) for y of shape (S, D) (arXiv:1706.03762).
    pub const SINUSOIDAL: Op = Op(tileops_op::SINUSOIDAL);
}

/// Every operator, with all the attributes that have defaults.
#[cfg(test)]
#[rustfmt::skip]
pub(crate) fn all_defaults() -> Vec<(Op, crate::AttrList)> {
    vec![
        Exp::defaults(),
        Log::defaults(),
        Sqrt::defaults(),
        Rsqrt::defaults(),
        Reciprocal::defaults(),
        Sin::defaults(),
        Cos::defaults(),
        Erf::defaults(),
        Log1p::defaults(),
        Expm1::defaults(),
        Abs::defaults(),
        Neg::defaults(),
        Sign::defaults(),
        Floor::defaults(),
        Ceil::defaults(),
        Trunc::defaults(),
        Round::defaults(),
        Tan::defaults(),
        Asin::defaults(),
        Acos::defaults(),
        Atan::defaults(),
        Sinh::defaults(),
        Cosh::defaults(),
        Asinh::defaults(),
        Acosh::defaults(),
        Atanh::defaults(),
        Exp2::defaults(),
        Log2::defaults(),
        Log10::defaults(),
        Cbrt::defaults(),
        Sinc::defaults(),
        Erfc::defaults(),
        Erfinv::defaults(),
        Lgamma::defaults(),
        Add::defaults(),
        Sub::defaults(),
        Mul::defaults(),
        Div::defaults(),
        Remainder::defaults(),
        FloorDivide::defaults(),
        Pow::defaults(),
        Lerp::defaults(),
        Maximum::defaults(),
        Minimum::defaults(),
        Atan2::defaults(),
        Hypot::defaults(),
        Fmod::defaults(),
        Copysign::defaults(),
        Nextafter::defaults(),
        Logaddexp::defaults(),
        Relu::defaults(),
        Gelu::defaults(),
        Silu::defaults(),
        Sigmoid::defaults(),
        Tanh::defaults(),
        LeakyRelu::defaults(),
        Elu::defaults(),
        Selu::defaults(),
        Hardswish::defaults(),
        Hardsigmoid::defaults(),
        Hardtanh::defaults(),
        Softplus::defaults(),
        Mish::defaults(),
        Prelu::defaults(),
        Logsigmoid::defaults(),
        Softsign::defaults(),
        Celu::defaults(),
        Tanhshrink::defaults(),
        SiluAndMul::defaults(),
        GeluAndMul::defaults(),
        GeluTanhAndMul::defaults(),
        Eq::defaults(),
        Ne::defaults(),
        Gt::defaults(),
        Lt::defaults(),
        Ge::defaults(),
        Le::defaults(),
        BitwiseAnd::defaults(),
        BitwiseOr::defaults(),
        BitwiseXor::defaults(),
        BitwiseNot::defaults(),
        BitwiseLeftShift::defaults(),
        BitwiseRightShift::defaults(),
        Popcount::defaults(),
        LogicalAnd::defaults(),
        LogicalOr::defaults(),
        LogicalNot::defaults(),
        Where::defaults(),
        Clamp::defaults(),
        MaskedFill::defaults(),
        NanToNum::defaults(),
        Isnan::defaults(),
        Isinf::defaults(),
        Isfinite::defaults(),
        Cast::defaults(),
        RopeNeox::defaults(),
        RopeNonNeox::defaults(),
        RopeLlama31::defaults(),
        RopeYarn::defaults(),
        RopeLongrope::defaults(),
        Dropout::defaults(),
        Alibi::defaults(),
        Sinusoidal::defaults(),
    ]
}
