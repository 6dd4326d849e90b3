// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: dropout.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// keep ? x/(1-p) : 0, keep by Philox4x32-10 of the element's index.
    ///
    /// Inputs: `x` (float), `seed_offset` (optional, int64). Output: `y`, of any dtype; the natural
    /// one is the promoted dtype of the inputs. Second output: `mask` (optional, bool).
    ///
    /// y = x/(1 - p) where an element is kept, else 0 (for NaN and infinities too). Which are kept
    /// follows from seed, offset and the element's row-major index i in the shape of x alone: not
    /// from strides, threads, device or launch configuration. In the unsigned 32-bit words of
    /// Philox4x32-10 with
    ///
    /// - key = seed: its low half is k0, its high half k1
    /// - counter = (i/4, offset), 64 bits each: c0 and c1 are the halves of i/4, the lower first,
    ///   c2 and c3 those of offset
    ///
    /// element i has word i mod 4 of the four, and is kept where that word is at least p\*2^32. p =
    /// 0 keeps all, p = 1 none. Seed and offset are 64-bit patterns: a negative one is the unsigned
    /// number with the same bits. Calls with the same seed and different offsets have independent
    /// masks, so that an offset that grows by 1 with each call is enough.
    ///
    /// `seed_offset` holds both in memory of the plan's device and is read by each execution, so
    /// that a captured graph can draw new masks; the attributes `seed` and `offset` must then not
    /// be given. training = 0 copies x; the mask is then all true.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - seed_offset (int64; optional): (2,): element 0 is the seed, element 1 the offset.
    /// - y (result): the shape of x.
    /// - mask (second result, bool; optional): the shape of x; true where the element was kept.
    ///
    /// Attributes:
    ///
    /// - p (number from 0 to 1; default 0.5): probability of dropping an element.
    /// - seed (integer; default 0): 64-bit Philox key.
    /// - offset (integer; default 0): added to positions; for dropout the Philox offset.
    /// - training (integer 0 or 1; default 1): 0: copy the input.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: x/(1 - p) is rounded once; 1 - p is a float32 number, for float64 a float64 one.
    ///
    /// Source: Srivastava et al., Dropout, JMLR 15 (2014); Salmon et al., Parallel random numbers:
    /// as easy as 1, 2, 3, SC 2011. torch.nn.functional.dropout draws other masks.
    Dropout = DROPOUT, dropout(x, seed_offset) -> y, mask {
        /// Probability of dropping an element. Default: 0.5.
        p: f64 = 0.5 => float(P),
        /// 64-bit Philox key. Default: 0.
        seed: i64 = 0 => int(SEED),
        /// Added to positions; for dropout the Philox offset. Default: 0.
        offset: i64 = 0 => int(OFFSET),
        /// 0: copy the input. Default: true.
        training: bool = true => flag(TRAINING),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
