// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: dropout.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// keep ? x/(1-p) : 0, keep by Philox4x32-10 of the element's index.
    ///
    /// Inputs: `x` (float), `seed_offset` (optional, int64). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs. Second output: `mask` (optional, bool).
    Dropout = DROPOUT, dropout(x, seed_offset) -> y, mask {
        /// Probability of dropping an element. Default: 0.5.
        p: f64 = 0.5 => float(P),
        /// 64-bit Philox key. Default: 0.
        seed: i64 = 0 => int(SEED),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// 0: copy the input. Default: true.
        training: bool = true => flag(TRAINING),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
