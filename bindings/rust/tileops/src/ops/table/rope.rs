// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: rope.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// rotary embedding, pairs (i, i + d/2).
    ///
    /// Inputs: `x` (float), `position_ids` (optional, int32 or int64), `cos` (optional, float32),
    /// `sin` (optional, float32). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    RopeNeox = ROPE_NEOX, rope_neox(x, position_ids, cos, sin) -> y {
        /// Position dimension; absent: -2 for rank 2, else -3. Default: absent.
        seq_axis: Option<i64> = None => optional_int(SEQ_AXIS),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Leading part of the head that is rotated; absent: all of it. Default: absent.
        rotary_dim: Option<i64> = None => optional_int(ROTARY_DIM),
        /// Base of the frequencies. Default: 10000.0.
        base: f64 = 10000.0 => float(BASE),
        /// 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2). Default: false.
        interleaved: bool = false => flag(INTERLEAVED),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding, pairs (2i, 2i + 1).
    ///
    /// Inputs: `x` (float), `position_ids` (optional, int32 or int64), `cos` (optional, float32),
    /// `sin` (optional, float32). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    RopeNonNeox = ROPE_NON_NEOX, rope_non_neox(x, position_ids, cos, sin) -> y {
        /// Position dimension; absent: -2 for rank 2, else -3. Default: absent.
        seq_axis: Option<i64> = None => optional_int(SEQ_AXIS),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Leading part of the head that is rotated; absent: all of it. Default: absent.
        rotary_dim: Option<i64> = None => optional_int(ROTARY_DIM),
        /// Base of the frequencies. Default: 10000.0.
        base: f64 = 10000.0 => float(BASE),
        /// 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2). Default: true.
        interleaved: bool = true => flag(INTERLEAVED),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding with the frequency scaling of Llama 3.1.
    ///
    /// Inputs: `x` (float), `position_ids` (optional, int32 or int64), `cos` (optional, float32),
    /// `sin` (optional, float32). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    RopeLlama31 = ROPE_LLAMA31, rope_llama31(x, position_ids, cos, sin) -> y {
        /// Position dimension; absent: -2 for rank 2, else -3. Default: absent.
        seq_axis: Option<i64> = None => optional_int(SEQ_AXIS),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Leading part of the head that is rotated; absent: all of it. Default: absent.
        rotary_dim: Option<i64> = None => optional_int(ROTARY_DIM),
        /// Base of the frequencies. Default: 10000.0.
        base: f64 = 10000.0 => float(BASE),
        /// 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2). Default: false.
        interleaved: bool = false => flag(INTERLEAVED),
        /// Context extension factor. Default: 8.0.
        scale_factor: f64 = 8.0 => float(SCALE_FACTOR),
        /// Llama 3.1 scaling. Default: 1.0.
        low_freq_factor: f64 = 1.0 => float(LOW_FREQ_FACTOR),
        /// Llama 3.1 scaling. Default: 4.0.
        high_freq_factor: f64 = 4.0 => float(HIGH_FREQ_FACTOR),
        /// Context length of the base model. Default: 8192.
        original_max_position: i64 = 8192 => int(ORIGINAL_MAX_POSITION),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding with YaRN scaling (arXiv:2309.00071).
    ///
    /// Inputs: `x` (float), `position_ids` (optional, int32 or int64), `cos` (optional, float32),
    /// `sin` (optional, float32). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    RopeYarn = ROPE_YARN, rope_yarn(x, position_ids, cos, sin) -> y {
        /// Position dimension; absent: -2 for rank 2, else -3. Default: absent.
        seq_axis: Option<i64> = None => optional_int(SEQ_AXIS),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Leading part of the head that is rotated; absent: all of it. Default: absent.
        rotary_dim: Option<i64> = None => optional_int(ROTARY_DIM),
        /// Base of the frequencies. Default: 10000.0.
        base: f64 = 10000.0 => float(BASE),
        /// 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2). Default: false.
        interleaved: bool = false => flag(INTERLEAVED),
        /// Context extension factor. Default: 16.0.
        scale_factor: f64 = 16.0 => float(SCALE_FACTOR),
        /// Context length of the base model. Default: 4096.
        original_max_position: i64 = 4096 => int(ORIGINAL_MAX_POSITION),
        /// YaRN: rotations above which a dimension is not scaled. Default: 32.0.
        beta_fast: f64 = 32.0 => float(BETA_FAST),
        /// YaRN: rotations below which a dimension is fully scaled. Default: 1.0.
        beta_slow: f64 = 1.0 => float(BETA_SLOW),
        /// YaRN: multiplies cos and sin. Default: 1.0.
        attn_factor: f64 = 1.0 => float(ATTN_FACTOR),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding with LongRoPE's rescale factors (arXiv:2402.13753).
    ///
    /// Inputs: `x` (float), `rescale_factors` (float32), `position_ids` (optional, int32 or int64),
    /// `cos` (optional, float32), `sin` (optional, float32). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    RopeLongrope = ROPE_LONGROPE, rope_longrope(x, rescale_factors, position_ids, cos, sin) -> y {
        /// Position dimension; absent: -2 for rank 2, else -3. Default: absent.
        seq_axis: Option<i64> = None => optional_int(SEQ_AXIS),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Leading part of the head that is rotated; absent: all of it. Default: absent.
        rotary_dim: Option<i64> = None => optional_int(ROTARY_DIM),
        /// Base of the frequencies. Default: 10000.0.
        base: f64 = 10000.0 => float(BASE),
        /// 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2). Default: false.
        interleaved: bool = false => flag(INTERLEAVED),
        /// Context length of the base model. Default: 4096.
        original_max_position: i64 = 4096 => int(ORIGINAL_MAX_POSITION),
        /// LongRoPE: extended context length. Default: 131072.
        max_position: i64 = 131072 => int(MAX_POSITION),
        /// Fp8 outputs; absent: saturate for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
