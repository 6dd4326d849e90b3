// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: special.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// cond ? x : y, bits kept.
    ///
    /// Inputs: `cond` (bool), `x` (float or int or bool), `y` (float or int or bool). Output:
    /// `out`, of any dtype; the natural one is the promoted dtype of the inputs.
    Where = WHERE, where_(cond, x, y) -> out {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// min(max(x, min), max); NaN propagates; one bound may be absent.
    ///
    /// Inputs: `x` (float or int), `min` (optional, float or int), `max` (optional, float or int).
    /// Output: `y`, of any dtype; the natural one is the promoted dtype of the inputs.
    Clamp = CLAMP, clamp(x, min, max) -> y {
        /// Lower bound, where it is not an operand; absent: none. Default: absent.
        min: Option<f64> = None => optional_float(MIN),
        /// Upper bound, where it is not an operand; absent: none. Default: absent.
        max: Option<f64> = None => optional_float(MAX),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// mask ? value : x; value is 0-d and takes x's dtype.
    ///
    /// Inputs: `x` (float or int or bool), `mask` (bool), `value` (optional, float or int or bool).
    /// Output: `y`, of any dtype; the natural one is the promoted dtype of the inputs.
    MaskedFill = MASKED_FILL, masked_fill(x, mask, value) -> y {
        /// Fill value, where it is not an operand. Default: absent.
        value: Option<f64> = None => optional_float(VALUE),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// replaces NaN and infinities; others unchanged.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    NanToNum = NAN_TO_NUM, nan_to_num(x) -> y {
        /// Replacement for NaN. Default: 0.0.
        nan: f64 = 0.0 => float(NAN),
        /// Replacement for +inf; absent: the dtype's largest finite value. Default: absent.
        posinf: Option<f64> = None => optional_float(POSINF),
        /// Replacement for -inf; absent: the dtype's lowest finite value. Default: absent.
        neginf: Option<f64> = None => optional_float(NEGINF),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x is NaN.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    Isnan = ISNAN, isnan(x) -> y {}
}

operator! {
    /// x is infinite.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    Isinf = ISINF, isinf(x) -> y {}
}

operator! {
    /// x is neither NaN nor infinite.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    Isfinite = ISFINITE, isfinite(x) -> y {}
}

operator! {
    /// conversion; floats to integers truncate and saturate, NaN to 0; also copies strided memory.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is that of
    /// the input.
    Cast = CAST, cast(x) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
