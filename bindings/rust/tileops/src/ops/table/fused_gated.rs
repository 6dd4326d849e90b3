// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: fused gated.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// silu(gate) * value.
    ///
    /// Inputs: `gate` (float), `value` (optional, float). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    SiluAndMul = SILU_AND_MUL, silu_and_mul(gate, value) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// gelu(gate) * value.
    ///
    /// Inputs: `gate` (float), `value` (optional, float). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    GeluAndMul = GELU_AND_MUL, gelu_and_mul(gate, value) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// gelu_tanh(gate) * value.
    ///
    /// Inputs: `gate` (float), `value` (optional, float). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    GeluTanhAndMul = GELU_TANH_AND_MUL, gelu_tanh_and_mul(gate, value) -> y {
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
