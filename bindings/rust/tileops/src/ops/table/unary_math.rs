// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: unary math.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// e^x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Exp = EXP, exp(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// natural logarithm; log(0) = -inf, NaN below.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Log = LOG, log(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// square root.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Sqrt = SQRT, sqrt(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1/sqrt(x); rsqrt(0) = inf.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Rsqrt = RSQRT, rsqrt(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1/x; reciprocal(-0) = -inf.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Reciprocal = RECIPROCAL, reciprocal(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// sine of x radians, for every finite x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Sin = SIN, sin(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// cosine of x radians, for every finite x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Cos = COS, cos(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// error function.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Erf = ERF, erf(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// log(1 + x), accurate near 0.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Log1p = LOG1P, log1p(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// e^x - 1, accurate near 0.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    Expm1 = EXPM1, expm1(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// absolute value; abs(INT_MIN) wraps.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    Abs = ABS, abs(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// -x; integers wrap.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    Neg = NEG, neg(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// -1, 0 or 1; sign(NaN) = 0 as in PyTorch.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    Sign = SIGN, sign(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// largest integer <= x.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    Floor = FLOOR, floor(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// smallest integer >= x.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    Ceil = CEIL, ceil(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x without its fraction.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    Trunc = TRUNC, trunc(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// nearest integer, half to even; to `decimals` places.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    Round = ROUND, round(x) -> y {
        /// Decimal places to round to; negative: left of the point. Default: 0.
        decimals: i64 = 0 => int(DECIMALS),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
