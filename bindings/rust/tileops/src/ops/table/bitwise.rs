// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: bitwise.

use crate::ops::macros::{operator, second};

operator! {
    /// a & b.
    ///
    /// Inputs: `a` (int or bool), `b` (int or bool). Output: `y`, of any dtype; the natural one is
    /// the promoted dtype of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - a (integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Source: torch.bitwise_and.
    BitwiseAnd = BITWISE_AND, bitwise_and(a, b) -> y {}
}

operator! {
    /// a | b.
    ///
    /// Inputs: `a` (int or bool), `b` (int or bool). Output: `y`, of any dtype; the natural one is
    /// the promoted dtype of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - a (integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Source: torch.bitwise_or.
    BitwiseOr = BITWISE_OR, bitwise_or(a, b) -> y {}
}

operator! {
    /// a ^ b.
    ///
    /// Inputs: `a` (int or bool), `b` (int or bool). Output: `y`, of any dtype; the natural one is
    /// the promoted dtype of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - a (integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - b (integer or bool): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Source: torch.bitwise_xor.
    BitwiseXor = BITWISE_XOR, bitwise_xor(a, b) -> y {}
}

operator! {
    /// ~x; bool: not.
    ///
    /// Inputs: `x` (int or bool). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Source: torch.bitwise_not.
    BitwiseNot = BITWISE_NOT, bitwise_not(x) -> y {}
}

operator! {
    /// a << b; 0 where b is negative or the number of bits or more.
    ///
    /// Inputs: `a` (int), `b` (int). Output: `y`, of any dtype; the natural one is the promoted
    /// dtype of the inputs.
    ///
    /// Bits beyond the dtype are lost.
    ///
    /// Operands and their shapes:
    ///
    /// - a (integer): any shape that broadcasts with the others, as in NumPy.
    /// - b (integer): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Source: torch.bitwise_left_shift.
    BitwiseLeftShift = BITWISE_LEFT_SHIFT, bitwise_left_shift(a, b) -> y {}
}

operator! {
    /// a >> b, of a negative a the floor; where b is negative or the number of bits or more, 0 or
    /// -1.
    ///
    /// Inputs: `a` (int), `b` (int). Output: `y`, of any dtype; the natural one is the promoted
    /// dtype of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - a (integer): any shape that broadcasts with the others, as in NumPy.
    /// - b (integer): any shape that broadcasts with the others, as in NumPy.
    /// - y (result): the shape that the inputs broadcast to.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Source: torch.bitwise_right_shift.
    BitwiseRightShift = BITWISE_RIGHT_SHIFT, bitwise_right_shift(a, b) -> y {}
}

operator! {
    /// number of bits that are set, a negative x in two's complement.
    ///
    /// Inputs: `x` (int). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (integer): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Source: C++ std::popcount; numpy.bitwise_count takes the magnitude of a negative number.
    Popcount = POPCOUNT, popcount(x) -> y {}
}
