// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: logical.

use crate::ops::macros::{operator, second};

operator! {
    /// both non-zero; NaN is true.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    LogicalAnd = LOGICAL_AND, logical_and(a, b) -> y {}
}

operator! {
    /// either non-zero; NaN is true.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    LogicalOr = LOGICAL_OR, logical_or(a, b) -> y {}
}

operator! {
    /// zero; NaN is true, so its negation is false.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    LogicalNot = LOGICAL_NOT, logical_not(x) -> y {}
}
