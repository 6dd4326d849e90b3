// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: unary math.

use super::choices::Fp8Overflow;
use crate::ops::macros::{operator, second};

operator! {
    /// e^x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// Overflows to inf; exp(-inf) = 0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.exp.
    Exp = EXP, exp(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// natural logarithm; log(0) = -inf, NaN below.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// log(+-0) = -inf, log of anything below 0 is NaN.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.log.
    Log = LOG, log(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// square root.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// NaN below 0; sqrt(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.sqrt.
    Sqrt = SQRT, sqrt(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1/sqrt(x); rsqrt(0) = inf.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// rsqrt(+-0) = +-inf, rsqrt(inf) = 0, NaN below 0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.rsqrt.
    Rsqrt = RSQRT, rsqrt(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1/x; reciprocal(-0) = -inf.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// reciprocal(+-0) = +-inf, reciprocal(+-inf) = +-0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.reciprocal.
    Reciprocal = RECIPROCAL, reciprocal(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// sine of x radians, for every finite x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// The argument is reduced exactly, also where it is large; NaN for infinities.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.sin.
    Sin = SIN, sin(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// cosine of x radians, for every finite x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// The argument is reduced exactly, also where it is large; NaN for infinities.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.cos.
    Cos = COS, cos(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// error function.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// erf(+-inf) = +-1.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.erf.
    Erf = ERF, erf(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// log(1 + x), accurate near 0.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// log1p(-1) = -inf, NaN below; log1p(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.log1p.
    Log1p = LOG1P, log1p(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// e^x - 1, accurate near 0.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// expm1(-inf) = -1; expm1(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.expm1.
    Expm1 = EXPM1, expm1(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// absolute value; abs(INT_MIN) wraps.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    ///
    /// The lowest signed integer has no positive counterpart and stays what it is.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.abs.
    Abs = ABS, abs(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// -x; integers wrap.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// The lowest signed integer stays what it is; unsigned ones wrap around.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float or integer): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.neg.
    Neg = NEG, neg(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// -1, 0 or 1; sign(NaN) = 0 as in PyTorch.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    ///
    /// sign(-0) = 0. NaN gives 0, which keeps no trace of it.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.sign.
    Sign = SIGN, sign(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// largest integer <= x.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Integers, infinities and NaN are returned as they are.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float or integer): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.floor.
    Floor = FLOOR, floor(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// smallest integer >= x.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Integers, infinities and NaN are returned as they are.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float or integer): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.ceil.
    Ceil = CEIL, ceil(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x without its fraction.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Integers, infinities and NaN are returned as they are.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float or integer): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: torch.trunc.
    Trunc = TRUNC, trunc(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// nearest integer, half to even; to `decimals` places.
    ///
    /// Inputs: `x` (float or int). Output: `y`, of any dtype; the natural one is the promoted dtype
    /// of the inputs.
    ///
    /// Halves go to the even neighbour: 0.5 to 0, 1.5 to 2. Integers, infinities and NaN are
    /// returned as they are, integers also for negative `decimals`.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float or integer): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - decimals (integer from -22 to 22; default 0): decimal places to round to; negative: left
    ///   of the point; at most 22 either way, 10 for floats of at most 32 bits.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.round.
    Round = ROUND, round(x) -> y {
        /// Decimal places to round to; negative: left of the point; at most 22 either way, 10 for
        /// floats of at most 32 bits. Default: 0.
        decimals: i64 = 0 => int(DECIMALS),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// tangent of x radians, for every finite x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// The argument is reduced exactly, also where it is large; NaN for infinities.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.tan.
    Tan = TAN, tan(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// angle of \[-pi/2, pi/2\] whose sine is x; NaN beyond 1.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// asin(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.asin.
    Asin = ASIN, asin(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// angle of \[0, pi\] whose cosine is x; NaN beyond 1.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// acos(1) = 0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.acos.
    Acos = ACOS, acos(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// angle of \[-pi/2, pi/2\] whose tangent is x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// atan(+-inf) = +-pi/2; atan(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.atan.
    Atan = ATAN, atan(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// hyperbolic sine.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// sinh(+-inf) = +-inf; sinh(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.sinh.
    Sinh = SINH, sinh(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// hyperbolic cosine.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// cosh(+-inf) = inf.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.cosh.
    Cosh = COSH, cosh(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// inverse of sinh.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// asinh(+-inf) = +-inf; asinh(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.asinh.
    Asinh = ASINH, asinh(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// inverse of cosh, from 0 on; NaN below 1.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// acosh(1) = 0, acosh(inf) = inf.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.acosh.
    Acosh = ACOSH, acosh(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// inverse of tanh; NaN beyond 1.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// atanh(+-1) = +-inf; atanh(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.atanh.
    Atanh = ATANH, atanh(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 2^x.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// Overflows to inf; exp2(-inf) = 0. Exact for integers.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.exp2.
    Exp2 = EXP2, exp2(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// binary logarithm; log2(0) = -inf, NaN below.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// log2(+-0) = -inf, log2 of anything below 0 is NaN. Exact for powers of two.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.log2.
    Log2 = LOG2, log2(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// decimal logarithm; log10(0) = -inf, NaN below.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// log10(+-0) = -inf, log10 of anything below 0 is NaN.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.log10.
    Log10 = LOG10, log10(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// cube root.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// Of negative numbers, too; cbrt(-0) = -0, cbrt(+-inf) = +-inf.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: C cbrt; numpy.cbrt.
    Cbrt = CBRT, cbrt(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// sin(pi x) / (pi x); sinc(0) = 1.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// +0 at all integers but 0, and for infinities. pi x is not rounded.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.sinc; numpy.sinc.
    Sinc = SINC, sinc(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1 - erf(x), right where that is next to nothing.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// erfc(inf) = 0, erfc(-inf) = 2.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 1 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.special.erfc.
    Erfc = ERFC, erfc(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// inverse of erf; NaN beyond 1.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// erfinv(+-1) = +-inf; erfinv(-0) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.special.erfinv.
    Erfinv = ERFINV, erfinv(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// logarithm of |Gamma(x)|.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// inf at 0, at negative integers and at infinities; 0 at 1 and 2.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float, integer or bool): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x, float32 for integers and bool. For an output of
    /// another dtype it is converted once: to a float by rounding to nearest even, to an integer
    /// toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: A float64 result next to a zero between negative integers, the first of which is
    /// -2.457, is off by about 2^-53, not by so many ulp of itself.
    ///
    /// Source: torch.lgamma.
    Lgamma = LGAMMA, lgamma(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
