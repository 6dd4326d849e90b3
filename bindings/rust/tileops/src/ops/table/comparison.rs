// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: comparison.

use crate::ops::macros::{operator, second};

operator! {
    /// a == b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// False where an operand is NaN; -0 equals +0.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
    /// dtype gets 0 and 1.
    ///
    /// Source: torch.eq.
    Eq = EQ, eq(a, b) -> y {}
}

operator! {
    /// a != b; true for NaN.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// True where an operand is NaN; -0 equals +0.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
    /// dtype gets 0 and 1.
    ///
    /// Source: torch.ne.
    Ne = NE, ne(a, b) -> y {}
}

operator! {
    /// a > b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// False where an operand is NaN.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
    /// dtype gets 0 and 1.
    ///
    /// Source: torch.gt.
    Gt = GT, gt(a, b) -> y {}
}

operator! {
    /// a < b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// False where an operand is NaN.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
    /// dtype gets 0 and 1.
    ///
    /// Source: torch.lt.
    Lt = LT, lt(a, b) -> y {}
}

operator! {
    /// a >= b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// False where an operand is NaN.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
    /// dtype gets 0 and 1.
    ///
    /// Source: torch.ge.
    Ge = GE, ge(a, b) -> y {}
}

operator! {
    /// a <= b.
    ///
    /// Inputs: `a` (float or int or bool), `b` (float or int or bool). Output: `y`, of any dtype;
    /// the natural one is bool.
    ///
    /// False where an operand is NaN.
    ///
    /// Operands and their shapes:
    ///
    /// - a (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (float, integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result is bool. An output of another
    /// dtype gets 0 and 1.
    ///
    /// Source: torch.le.
    Le = LE, le(a, b) -> y {}
}
