// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: activation.

use super::choices::{Approximate, Fp8Overflow};
use crate::ops::macros::{operator, second};

operator! {
    /// max(x, 0); NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Relu = RELU, relu(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x * Phi(x), or its tanh approximation.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Gelu = GELU, gelu(x) -> y {
        /// Formula of gelu. Default: none.
        approximate: Approximate = Approximate::None => choice(APPROXIMATE),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x / (1 + e^-x).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Silu = SILU, silu(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1 / (1 + e^-x).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Sigmoid = SIGMOID, sigmoid(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// hyperbolic tangent.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Tanh = TANH, tanh(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x > 0 ? x : negative_slope\*x.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    LeakyRelu = LEAKY_RELU, leaky_relu(x) -> y {
        /// Slope for x <= 0. Default: 0.01.
        negative_slope: f64 = 0.01 => float(NEGATIVE_SLOPE),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x > 0 ? x : alpha\*expm1(x).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Elu = ELU, elu(x) -> y {
        /// Multiplier of the second operand, or of the negative branch. Default: 1.0.
        alpha: f64 = 1.0 => float(ALPHA),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772\*expm1(x)).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Selu = SELU, selu(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x * clamp(x + 3, 0, 6) / 6; NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Hardswish = HARDSWISH, hardswish(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// clamp(x + 3, 0, 6) / 6; NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Hardsigmoid = HARDSIGMOID, hardsigmoid(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// clamp(x, min_val, max_val); NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Hardtanh = HARDTANH, hardtanh(x) -> y {
        /// Lower bound of hardtanh. Default: -1.0.
        min_val: f64 = -1.0 => float(MIN_VAL),
        /// Upper bound of hardtanh. Default: 1.0.
        max_val: f64 = 1.0 => float(MAX_VAL),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// beta\*x > threshold ? x : log1p(e^(beta\*x))/beta.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Softplus = SOFTPLUS, softplus(x) -> y {
        /// Sharpness of softplus. Default: 1.0.
        beta: f64 = 1.0 => float(BETA),
        /// Beta\*x above which softplus is x. Default: 20.0.
        threshold: f64 = 20.0 => float(THRESHOLD),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x * tanh(softplus(x)), algebraic form.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Mish = MISH, mish(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x > 0 ? x : weight\[c\]\*x, c the index along `axis`; weight 0-d, (1,) or (C,).
    ///
    /// Inputs: `x` (float), `weight` (float). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    Prelu = PRELU, prelu(x, weight) -> y {
        /// Channel dimension; may be negative. Default: 1.
        axis: i64 = 1 => int(AXIS),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
