// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: logical.

use crate::ops::macros::{operator, second};

operator! {
    /// both non-zero; NaN is true.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: numbers count as true where they are not zero; NaN is true. The result is bool. An
    /// output of another dtype gets 0 and 1.
    ///
    /// Source: torch.logical_and.
    LogicalAnd = LOGICAL_AND, logical_and(a, b) -> y {}
}

operator! {
    /// either non-zero; NaN is true.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: numbers count as true where they are not zero; NaN is true. The result is bool. An
    /// output of another dtype gets 0 and 1.
    ///
    /// Source: torch.logical_or.
    LogicalOr = LOGICAL_OR, logical_or(a, b) -> y {}
}

operator! {
    /// zero; NaN is true, so its negation is false.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is bool.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Dtypes: numbers count as true where they are not zero; NaN is true. The result is bool. An
    /// output of another dtype gets 0 and 1.
    ///
    /// Source: torch.logical_not.
    LogicalNot = LOGICAL_NOT, logical_not(x) -> y {}
}
