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
    ///
    /// Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
    /// (x1\*cos - x2\*sin, x2\*cos + x1\*sin) with cos and sin of position \* f_i for pair i of the
    /// d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
    /// `rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs
    /// are elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise
    /// f_i = base^(-2i/d).
    ///
    /// The position of an element is `offset` plus its index along dimension `seq_axis`, by default
    /// the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
    /// H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
    /// then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
    /// angles are right to float32 rounding for positions up to 2^31 in magnitude.
    ///
    /// `cos` and `sin`, given together, replace the computed values: row p is that of position p,
    /// and base, scalings and amplitudes have no effect. Without `position_ids` they need at least
    /// offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
    /// rotated elements; no memory outside the tables is read.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
    ///   `rotary_dim` is given.
    /// - position_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
    ///   dimension and `seq_axis` is not that dimension.
    /// - cos (float32; optional): (positions, d/2).
    /// - sin (float32; optional): (positions, d/2).
    /// - y (result): the shape of x.
    ///
    /// Attributes:
    ///
    /// - seq_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
    /// - offset (integer; default 0): added to positions; for dropout the Philox offset.
    /// - rotary_dim (integer; optional): leading part of the head that is rotated; absent: all of
    ///   it.
    /// - base (number from 1 to 1e+300; default 10000): base of the frequencies.
    /// - interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of \|x1\*cos\| + \|x2\*sin\|, the magnitude
    /// before cancellation. Narrower results are the float32 value rounded once more.
    ///
    /// Source: The pairing of GPT-NeoX, Llama and Hugging Face. Su et al., RoFormer,
    /// arXiv:2104.09864.
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
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding, pairs (2i, 2i + 1).
    ///
    /// Inputs: `x` (float), `position_ids` (optional, int32 or int64), `cos` (optional, float32),
    /// `sin` (optional, float32). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
    /// (x1\*cos - x2\*sin, x2\*cos + x1\*sin) with cos and sin of position \* f_i for pair i of the
    /// d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
    /// `rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs
    /// are elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise
    /// f_i = base^(-2i/d).
    ///
    /// The position of an element is `offset` plus its index along dimension `seq_axis`, by default
    /// the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
    /// H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
    /// then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
    /// angles are right to float32 rounding for positions up to 2^31 in magnitude.
    ///
    /// `cos` and `sin`, given together, replace the computed values: row p is that of position p,
    /// and base, scalings and amplitudes have no effect. Without `position_ids` they need at least
    /// offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
    /// rotated elements; no memory outside the tables is read.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
    ///   `rotary_dim` is given.
    /// - position_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
    ///   dimension and `seq_axis` is not that dimension.
    /// - cos (float32; optional): (positions, d/2).
    /// - sin (float32; optional): (positions, d/2).
    /// - y (result): the shape of x.
    ///
    /// Attributes:
    ///
    /// - seq_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
    /// - offset (integer; default 0): added to positions; for dropout the Philox offset.
    /// - rotary_dim (integer; optional): leading part of the head that is rotated; absent: all of
    ///   it.
    /// - base (number from 1 to 1e+300; default 10000): base of the frequencies.
    /// - interleaved (integer 0 or 1; default 1): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of \|x1\*cos\| + \|x2\*sin\|, the magnitude
    /// before cancellation. Narrower results are the float32 value rounded once more.
    ///
    /// Source: The pairing of the paper and of GPT-J. Su et al., RoFormer, arXiv:2104.09864.
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
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding with the frequency scaling of Llama 3.1.
    ///
    /// Inputs: `x` (float), `position_ids` (optional, int32 or int64), `cos` (optional, float32),
    /// `sin` (optional, float32). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
    /// (x1\*cos - x2\*sin, x2\*cos + x1\*sin) with cos and sin of position \* f_i for pair i of the
    /// d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
    /// `rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs
    /// are elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise
    /// f_i = base^(-2i/d).
    ///
    /// The position of an element is `offset` plus its index along dimension `seq_axis`, by default
    /// the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
    /// H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
    /// then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
    /// angles are right to float32 rounding for positions up to 2^31 in magnitude.
    ///
    /// `cos` and `sin`, given together, replace the computed values: row p is that of position p,
    /// and base, scalings and amplitudes have no effect. Without `position_ids` they need at least
    /// offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
    /// rotated elements; no memory outside the tables is read.
    ///
    /// A frequency f with wavelength w = 2\*pi/f stays f where w <
    /// original_max_position/high_freq_factor, becomes f/scale_factor where w >
    /// original_max_position/low_freq_factor, and between is (1 - s)\*f/scale_factor + s\*f with
    /// s = (original_max_position/w - low_freq_factor)/(high_freq_factor - low_freq_factor).
    /// low_freq_factor must be below high_freq_factor.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
    ///   `rotary_dim` is given.
    /// - position_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
    ///   dimension and `seq_axis` is not that dimension.
    /// - cos (float32; optional): (positions, d/2).
    /// - sin (float32; optional): (positions, d/2).
    /// - y (result): the shape of x.
    ///
    /// Attributes:
    ///
    /// - seq_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
    /// - offset (integer; default 0): added to positions; for dropout the Philox offset.
    /// - rotary_dim (integer; optional): leading part of the head that is rotated; absent: all of
    ///   it.
    /// - base (number from 1 to 1e+300; default 10000): base of the frequencies.
    /// - interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
    /// - scale_factor (number from 1e-300 to 1e+300; default 8): context extension factor.
    /// - low_freq_factor (number from 1e-300 to 1e+300; default 1): Llama 3.1 scaling.
    /// - high_freq_factor (number from 1e-300 to 1e+300; default 4): Llama 3.1 scaling.
    /// - original_max_position (integer from 1 to 4294967296; default 8192): context length of the
    ///   base model.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of \|x1\*cos\| + \|x2\*sin\|, the magnitude
    /// before cancellation. Narrower results are the float32 value rounded once more.
    ///
    /// Source: The reference code of Llama 3.1; rope_type "llama3" of Hugging Face. Su et al.,
    /// RoFormer, arXiv:2104.09864.
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
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding with YaRN scaling (arXiv:2309.00071).
    ///
    /// Inputs: `x` (float), `position_ids` (optional, int32 or int64), `cos` (optional, float32),
    /// `sin` (optional, float32). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
    /// (x1\*cos - x2\*sin, x2\*cos + x1\*sin) with cos and sin of position \* f_i for pair i of the
    /// d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
    /// `rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs
    /// are elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise
    /// f_i = base^(-2i/d).
    ///
    /// The position of an element is `offset` plus its index along dimension `seq_axis`, by default
    /// the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
    /// H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
    /// then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
    /// angles are right to float32 rounding for positions up to 2^31 in magnitude.
    ///
    /// `cos` and `sin`, given together, replace the computed values: row p is that of position p,
    /// and base, scalings and amplitudes have no effect. Without `position_ids` they need at least
    /// offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
    /// rotated elements; no memory outside the tables is read.
    ///
    /// With dim(r) = d\*ln(original_max_position/(2\*pi\*r))/(2\*ln(base)), low =
    /// floor(dim(beta_fast)) and high = ceil(dim(beta_slow)), both clamped to 0 to d - 1, and t =
    /// clamp((i - low)/(high - low), 0, 1): f_i becomes t\*f_i/scale_factor + (1 - t)\*f_i. cos and
    /// sin are multiplied by attn_factor, which stays 1 unless given: the paper recommends
    /// 0.1\*ln(scale_factor) + 1. base must be above 1.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
    ///   `rotary_dim` is given.
    /// - position_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
    ///   dimension and `seq_axis` is not that dimension.
    /// - cos (float32; optional): (positions, d/2).
    /// - sin (float32; optional): (positions, d/2).
    /// - y (result): the shape of x.
    ///
    /// Attributes:
    ///
    /// - seq_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
    /// - offset (integer; default 0): added to positions; for dropout the Philox offset.
    /// - rotary_dim (integer; optional): leading part of the head that is rotated; absent: all of
    ///   it.
    /// - base (number from 1 to 1e+300; default 10000): base of the frequencies.
    /// - interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
    /// - scale_factor (number from 1e-300 to 1e+300; default 16): context extension factor.
    /// - original_max_position (integer from 1 to 4294967296; default 4096): context length of the
    ///   base model.
    /// - beta_fast (number from 1e-300 to 1e+300; default 32): YaRN: rotations above which a
    ///   dimension is not scaled.
    /// - beta_slow (number from 1e-300 to 1e+300; default 1): YaRN: rotations below which a
    ///   dimension is fully scaled.
    /// - attn_factor (number; default 1): YaRN: multiplies cos and sin.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of \|x1\*cos\| + \|x2\*sin\|, the magnitude
    /// before cancellation. Narrower results are the float32 value rounded once more.
    ///
    /// Source: Peng et al., YaRN, arXiv:2309.00071; Hugging Face and vLLM. Su et al., RoFormer,
    /// arXiv:2104.09864.
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
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// rotary embedding with LongRoPE's rescale factors (arXiv:2402.13753).
    ///
    /// Inputs: `x` (float), `rescale_factors` (float32), `position_ids` (optional, int32 or int64),
    /// `cos` (optional, float32), `sin` (optional, float32). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs.
    ///
    /// Turns pairs of elements of a head by an angle that grows with the position: (x1, x2) becomes
    /// (x1\*cos - x2\*sin, x2\*cos + x1\*sin) with cos and sin of position \* f_i for pair i of the
    /// d/2 pairs. Here D is the head dimension, the last one of x; d, an even number, is
    /// `rotary_dim` (all of D unless given), and elements d to D - 1 of a head are copied. Pairs
    /// are elements i and i + d/2, or 2i and 2i + 1 with interleaved = 1. Unless said otherwise
    /// f_i = base^(-2i/d).
    ///
    /// The position of an element is `offset` plus its index along dimension `seq_axis`, by default
    /// the first of two dimensions and else the third from last, as in (S, D), (S, H, D) and (B, S,
    /// H, D); S is that dimension's size. `position_ids` gives positions instead, and `offset` must
    /// then not be given. Positions may be any 64-bit integers, negative ones turn the other way;
    /// angles are right to float32 rounding for positions up to 2^31 in magnitude.
    ///
    /// `cos` and `sin`, given together, replace the computed values: row p is that of position p,
    /// and base, scalings and amplitudes have no effect. Without `position_ids` they need at least
    /// offset + S rows and offset >= 0. With it, a position outside their rows gives NaN for the d
    /// rotated elements; no memory outside the tables is read.
    ///
    /// f_i becomes f_i/r_i with the factors `rescale_factors`. With s =
    /// max_position/original_max_position, cos and sin are multiplied by sqrt(1 +
    /// ln(s)/ln(original_max_position)) if s > 1.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): rank 2 or more, such as (S, D), (S, H, D), (B, S, H, D); D even unless
    ///   `rotary_dim` is given.
    /// - rescale_factors (float32): (d/2,), the factor r_i of each pair; all above 0, other values
    ///   give NaN for their pair.
    /// - position_ids (int32 or int64; optional): (S,), or (B, S) where B is the size of x's first
    ///   dimension and `seq_axis` is not that dimension.
    /// - cos (float32; optional): (positions, d/2).
    /// - sin (float32; optional): (positions, d/2).
    /// - y (result): the shape of x.
    ///
    /// Attributes:
    ///
    /// - seq_axis (integer; optional): position dimension; absent: -2 for rank 2, else -3.
    /// - offset (integer; default 0): added to positions; for dropout the Philox offset.
    /// - rotary_dim (integer; optional): leading part of the head that is rotated; absent: all of
    ///   it.
    /// - base (number from 1 to 1e+300; default 10000): base of the frequencies.
    /// - interleaved (integer 0 or 1; default 0): 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2).
    /// - original_max_position (integer from 1 to 4294967296; default 4096): context length of the
    ///   base model.
    /// - max_position (integer from 1 to 4294967296; default 131072): LongRoPE: extended context
    ///   length.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of \|x1\*cos\| + \|x2\*sin\|, the magnitude
    /// before cancellation. Narrower results are the float32 value rounded once more.
    ///
    /// Source: Ding et al., LongRoPE, arXiv:2402.13753; Phi-3. Su et al., RoFormer,
    /// arXiv:2104.09864.
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
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
