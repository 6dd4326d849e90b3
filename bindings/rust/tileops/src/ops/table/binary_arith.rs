// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: binary arith.

use super::choices::{Fp8Overflow, Rounding};
use crate::ops::macros::{operator, second};

operator! {
    /// a + alpha\*b; bool: or.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    Add = ADD, add(a, b) -> y {
        /// Multiplier of the second operand, or of the negative branch. Default: 1.0.
        alpha: f64 = 1.0 => float(ALPHA),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a - alpha\*b.
    ///
    /// Inputs: `a` (float or int), `b` (float or int). Output: `y`, of any dtype; the natural one
    /// is the promoted dtype of the inputs.
    Sub = SUB, sub(a, b) -> y {
        /// Multiplier of the second operand, or of the negative branch. Default: 1.0.
        alpha: f64 = 1.0 => float(ALPHA),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a * b; bool: and.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    Mul = MUL, mul(a, b) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a / b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs; integers and bool give f32.
    Div = DIV, div(a, b) -> y {
        /// Rounding of the quotient; with trunc and floor integers stay integers. Default: none.
        rounding: Rounding = Rounding::None => choice(ROUNDING),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// remainder with the sign of b, exact; x % 0 = NaN for floats.
    ///
    /// Inputs: `a` (float or int), `b` (float or int). Output: `y`, of any dtype; the natural one
    /// is the promoted dtype of the inputs.
    Remainder = REMAINDER, remainder(a, b) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// floored quotient, PyTorch's fmod-based definition.
    ///
    /// Inputs: `a` (float or int), `b` (float or int). Output: `y`, of any dtype; the natural one
    /// is the promoted dtype of the inputs.
    FloorDivide = FLOOR_DIVIDE, floor_divide(a, b) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a^b with the IEEE special cases of C pow.
    ///
    /// Inputs: `a` (float or int), `b` (optional, float or int). Output: `y`, of any dtype; the
    /// natural one is the promoted dtype of the inputs.
    Pow = POW, pow(a, b) -> y {
        /// Exponent, where it is not an operand. Default: absent.
        exponent: Option<f64> = None => optional_float(EXPONENT),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// a + weight\*(b - a), exact at weight = 0 and 1 if b - a is finite.
    ///
    /// Inputs: `a` (float), `b` (float), `weight` (optional, float). Output: `y`, of any dtype; the
    /// natural one is the promoted dtype of the inputs.
    Lerp = LERP, lerp(a, b, weight) -> y {
        /// Interpolation weight, where it is not an operand. Default: 0.5.
        weight: f64 = 0.5 => float(WEIGHT),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// larger operand; NaN propagates, +0 > -0.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    Maximum = MAXIMUM, maximum(a, b) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// smaller operand; NaN propagates, -0 < +0.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is the promoted dtype of the inputs.
    Minimum = MINIMUM, minimum(a, b) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
