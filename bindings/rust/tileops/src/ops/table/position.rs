// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: position.

use super::choices::{Fp8Overflow, Layout, Slopes};
use crate::ops::macros::{operator, second};

operator! {
    /// -slope\[h\] * |i + offset - j| for y of shape (H, Sq, Sk) (arXiv:2108.12409).
    ///
    /// Inputs: `slopes` (optional, float32). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    Alibi = ALIBI, alibi(slopes) -> y {
        /// 1: -inf above the diagonal. Default: false.
        causal: bool = false => flag(CAUSAL),
        /// Head slopes: those of the paper, or 2^(-8(h+1)/H). Default: paper.
        slopes: Slopes = Slopes::Paper => choice(SLOPES),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// sin and cos of position/base^(2i/D) for y of shape (S, D) (arXiv:1706.03762).
    ///
    /// Inputs: none. Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    Sinusoidal = SINUSOIDAL, sinusoidal() -> y {
        /// Base of the frequencies. Default: 10000.0.
        base: f64 = 10000.0 => float(BASE),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Sin and cos interleaved, or in halves. Default: interleaved.
        layout: Layout = Layout::Interleaved => choice(LAYOUT),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
