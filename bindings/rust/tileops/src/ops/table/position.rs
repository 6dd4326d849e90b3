// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: position.

use super::choices::{Fp8Overflow, Layout, Slopes};
use crate::ops::macros::{operator, second};

operator! {
    /// -slope\[h\] * |i + offset - j| for y of shape (H, Sq, Sk) (arXiv:2108.12409).
    ///
    /// Inputs: `slopes` (optional, float32). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    ///
    /// Bias for attention scores of H heads, Sq queries and Sk keys: y\[h, i, j\] = -slope\[h\] \*
    /// \|i + offset - j\|; with causal = 1 it is -inf where j > i + offset. `offset` is the
    /// position of the first query, as for decoding with cached keys (Sk - Sq).
    ///
    /// slopes = geometric: slope\[h\] = 2^(-8(h + 1)/H). slopes = paper: the same where H is a
    /// power of two; else, with P the next lower power of two, heads below P have the slopes of P
    /// heads, and head P + k has 2^(-8(2k + 1)/(2P)).
    ///
    /// Operands and their shapes:
    ///
    /// - slopes (float32; optional): (H,), in place of computed ones; the attribute `slopes` must
    ///   then not be given. Without it H is at most 2^24.
    /// - y (result): (H, Sq, Sk), as the caller gives it: there is no input to take it from.
    ///
    /// Attributes:
    ///
    /// - causal (integer 0 or 1; default 0): 1: -inf above the diagonal.
    /// - slopes (paper = 0 or geometric = 1; default paper): head slopes: those of the paper, or
    ///   2^(-8(h+1)/H) for every H.
    /// - offset (integer from -4e+18 to 4e+18; default 0): added to positions; for dropout the
    ///   Philox offset.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the output may be of any float dtype.
    ///
    /// Accuracy: the product of slope and distance is within 1 ulp; computed slopes are float64
    /// numbers rounded to the type computed in.
    ///
    /// Source: Press et al., Train short, test long, arXiv:2108.12409.
    Alibi = ALIBI, alibi(slopes) -> y {
        /// 1: -inf above the diagonal. Default: false.
        causal: bool = false => flag(CAUSAL),
        /// Head slopes: those of the paper, or 2^(-8(h+1)/H) for every H. Default: paper.
        slopes: Slopes = Slopes::Paper => choice(SLOPES),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// sin and cos of position/base^(2i/D) for y of shape (S, D) (arXiv:1706.03762).
    ///
    /// Inputs: none. Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Position embedding: for row p, position p + offset, and column pair i the angle is position
    /// / base^(2i/D). layout = interleaved: column 2i is its sine, column 2i + 1 its cosine.
    /// layout = halves: column i is the sine, column D/2 + i the cosine.
    ///
    /// Operands and their shapes:
    ///
    /// - y (result): (S, D), as the caller gives it; D even and at most 2^24.
    ///
    /// Attributes:
    ///
    /// - base (number from 1 to 1e+300; default 10000): base of the frequencies.
    /// - offset (integer; default 0): added to positions; for dropout the Philox offset.
    /// - layout (interleaved = 0 or halves = 1; default interleaved): sines in even and cosines in
    ///   odd columns, or in the first and the second half.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the output may be of any float dtype.
    ///
    /// Accuracy: angles are within 2^-34 turn for positions up to 2^31 in magnitude; a float32
    /// result that is not next to a zero is within 1 ulp.
    ///
    /// Source: Vaswani et al., Attention is all you need, arXiv:1706.03762 (interleaved);
    /// tensor2tensor (halves).
    Sinusoidal = SINUSOIDAL, sinusoidal() -> y {
        /// Base of the frequencies. Default: 10000.0.
        base: f64 = 10000.0 => float(BASE),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// Sines in even and cosines in odd columns, or in the first and the second half. Default:
        /// interleaved.
        layout: Layout = Layout::Interleaved => choice(LAYOUT),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
