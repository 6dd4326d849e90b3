// Written by `./dev bindings` from the operator table; do not edit.

//! Values of the attributes with named choices.

use crate::ops::macros::choice;

choice! {
    /// Formula of gelu: none is the exact one, tanh an approximation of it.
    Approximate {
        /// `none`.
        None = 0,
        /// `tanh`.
        Tanh = 1,
    }
}

choice! {
    /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
    /// operands of the output's dtype that are only selected keep their bits; absent: saturate for
    /// e4m3fn, else nonsaturating.
    Fp8Overflow {
        /// `saturate`.
        Saturate = 0,
        /// `nonsaturating`.
        Nonsaturating = 1,
    }
}

choice! {
    /// Sines in even and cosines in odd columns, or in the first and the second half.
    Layout {
        /// `interleaved`.
        Interleaved = 0,
        /// `halves`.
        Halves = 1,
    }
}

choice! {
    /// How a quotient is rounded: not (none), toward zero (trunc) or down (floor); with trunc and
    /// floor integers stay integers. A cast to float8_e8m0fnu rounds to the nearest power of two
    /// (none), the next lower one (trunc, floor) or the next higher one (up).
    Rounding {
        /// `none`.
        None = 0,
        /// `trunc`.
        Trunc = 1,
        /// `floor`.
        Floor = 2,
        /// `up`.
        Up = 3,
    }
}

choice! {
    /// Head slopes: those of the paper, or 2^(-8(h+1)/H) for every H.
    Slopes {
        /// `paper`.
        Paper = 0,
        /// `geometric`.
        Geometric = 1,
    }
}
