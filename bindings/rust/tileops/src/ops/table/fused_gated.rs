// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: fused gated.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// silu(gate) * value.
    ///
    /// Inputs: `gate` (float), `value` (optional, float). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    ///
    /// Either both operands are given, or `gate` alone holds both packed along its last dimension:
    /// of a shape (..., 2N) the first N elements of each row are the gate, the last N the value,
    /// and the result is (..., N). The packed row may have any stride; nothing is copied.
    ///
    /// silu(x) = x/(1 + e^-x). Not rounded between activation and product.
    ///
    /// Operands and their shapes:
    ///
    /// - gate (float): (..., N); without `value` (..., 2N), its last dimension even.
    /// - value (float; optional): (..., N); broadcasts with `gate`.
    /// - y (result): the broadcast shape (..., N).
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 3 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: vLLM: SiluAndMul. Shazeer, GLU variants improve transformer, arXiv:2002.05202.
    SiluAndMul = SILU_AND_MUL, silu_and_mul(gate, value) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// gelu(gate) * value.
    ///
    /// Inputs: `gate` (float), `value` (optional, float). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    ///
    /// Either both operands are given, or `gate` alone holds both packed along its last dimension:
    /// of a shape (..., 2N) the first N elements of each row are the gate, the last N the value,
    /// and the result is (..., N). The packed row may have any stride; nothing is copied.
    ///
    /// gelu(x) = x\*Phi(x), the exact form. Not rounded between activation and product.
    ///
    /// Operands and their shapes:
    ///
    /// - gate (float): (..., N); without `value` (..., 2N), its last dimension even.
    /// - value (float; optional): (..., N); broadcasts with `gate`.
    /// - y (result): the broadcast shape (..., N).
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 3 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: vLLM: GeluAndMul. Shazeer, GLU variants improve transformer, arXiv:2002.05202.
    GeluAndMul = GELU_AND_MUL, gelu_and_mul(gate, value) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// gelu_tanh(gate) * value.
    ///
    /// Inputs: `gate` (float), `value` (optional, float). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    ///
    /// Either both operands are given, or `gate` alone holds both packed along its last dimension:
    /// of a shape (..., 2N) the first N elements of each row are the gate, the last N the value,
    /// and the result is (..., N). The packed row may have any stride; nothing is copied.
    ///
    /// gelu_tanh(x) = 0.5\*x\*(1 + tanh(sqrt(2/pi)\*(x + 0.044715\*x^3))). Not rounded between
    /// activation and product.
    ///
    /// Operands and their shapes:
    ///
    /// - gate (float): (..., N); without `value` (..., 2N), its last dimension even.
    /// - value (float; optional): (..., N); broadcasts with `gate`.
    /// - y (result): the broadcast shape (..., N).
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 3 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: vLLM: GeluAndMul with approximate = "tanh". Shazeer, GLU variants improve
    /// transformer, arXiv:2002.05202.
    GeluTanhAndMul = GELU_TANH_AND_MUL, gelu_tanh_and_mul(gate, value) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
