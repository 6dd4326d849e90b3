// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: comparison.

use crate::ops::macros::{operator, second};

operator! {
    /// a == b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    Eq = EQ, eq(a, b) -> y {}
}

operator! {
    /// a != b; true for NaN.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    Ne = NE, ne(a, b) -> y {}
}

operator! {
    /// a > b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    Gt = GT, gt(a, b) -> y {}
}

operator! {
    /// a < b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    Lt = LT, lt(a, b) -> y {}
}

operator! {
    /// a >= b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    Ge = GE, ge(a, b) -> y {}
}

operator! {
    /// a <= b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    Le = LE, le(a, b) -> y {}
}
