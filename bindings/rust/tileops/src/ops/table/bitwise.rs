// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: bitwise.

use crate::ops::macros::{operator, second};

operator! {
    /// a & b.
    ///
    /// Inputs: `a` (int or bool), `b` (int or bool). Output: `y`, of any dtype; the natural one is
    /// the promoted dtype of the inputs.
    BitwiseAnd = BITWISE_AND, bitwise_and(a, b) -> y {}
}

operator! {
    /// a | b.
    ///
    /// Inputs: `a` (int or bool), `b` (int or bool). Output: `y`, of any dtype; the natural one is
    /// the promoted dtype of the inputs.
    BitwiseOr = BITWISE_OR, bitwise_or(a, b) -> y {}
}

operator! {
    /// a ^ b.
    ///
    /// Inputs: `a` (int or bool), `b` (int or bool). Output: `y`, of any dtype; the natural one is
    /// the promoted dtype of the inputs.
    BitwiseXor = BITWISE_XOR, bitwise_xor(a, b) -> y {}
}

operator! {
    /// ~x; bool: not.
    ///
    /// Inputs: `x` (int or bool). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    BitwiseNot = BITWISE_NOT, bitwise_not(x) -> y {}
}
