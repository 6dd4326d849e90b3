// Written by `./dev bindings` from the operator table; do not edit.

//! Operators: activation.

use super::choices::{Approximate, Fp8Overflow};
use crate::ops::macros::{operator, second};

operator! {
    /// max(x, 0); NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Source: torch.nn.functional.relu.
    Relu = RELU, relu(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x * Phi(x), or its tanh approximation.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Phi is the distribution function of the normal distribution, computed by erfc so that the
    /// left tail keeps its digits. approximate = tanh: 0.5\*x\*(1 + tanh(sqrt(2/pi)\*(x +
    /// 0.044715\*x^3))), without cancellation on the left. gelu(-inf) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - approximate (none = 0 or tanh = 1; default none): formula of gelu: none is the exact one,
    ///   tanh an approximation of it.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: Hendrycks and Gimpel, arXiv:1606.08415; torch.nn.functional.gelu.
    Gelu = GELU, gelu(x) -> y {
        /// Formula of gelu: none is the exact one, tanh an approximation of it. Default: none.
        approximate: Approximate = Approximate::None => choice(APPROXIMATE),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x / (1 + e^-x).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Also called swish. silu(-inf) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: Hendrycks and Gimpel, arXiv:1606.08415; torch.nn.functional.silu.
    Silu = SILU, silu(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1 / (1 + e^-x).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// sigmoid(-inf) = 0, sigmoid(inf) = 1.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.sigmoid.
    Sigmoid = SIGMOID, sigmoid(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// hyperbolic tangent.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// tanh(+-inf) = +-1.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.tanh.
    Tanh = TANH, tanh(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x > 0 ? x : negative_slope\*x.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - negative_slope (number; default 0.01): slope for x <= 0.
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
    /// Source: torch.nn.functional.leaky_relu.
    LeakyRelu = LEAKY_RELU, leaky_relu(x) -> y {
        /// Slope for x <= 0. Default: 0.01.
        negative_slope: f64 = 0.01 => float(NEGATIVE_SLOPE),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x > 0 ? x : alpha\*expm1(x).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// elu(-inf) = -alpha.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - alpha (number; default 1): multiplier of the second operand, or of the negative branch.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: Clevert et al., arXiv:1511.07289; torch.nn.functional.elu.
    Elu = ELU, elu(x) -> y {
        /// Multiplier of the second operand, or of the negative branch. Default: 1.0.
        alpha: f64 = 1.0 => float(ALPHA),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772\*expm1(x)).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: Klambauer et al., arXiv:1706.02515; torch.nn.functional.selu.
    Selu = SELU, selu(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x * clamp(x + 3, 0, 6) / 6; NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: Howard et al., MobileNetV3, arXiv:1905.02244; torch.nn.functional.hardswish.
    Hardswish = HARDSWISH, hardswish(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// clamp(x + 3, 0, 6) / 6; NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.nn.functional.hardsigmoid.
    Hardsigmoid = HARDSIGMOID, hardsigmoid(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// clamp(x, min_val, max_val); NaN stays.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// min_val above max_val gives max_val everywhere.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - min_val (number; default -1): lower bound of hardtanh.
    /// - max_val (number; default 1): upper bound of hardtanh.
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
    /// Source: torch.nn.functional.hardtanh.
    Hardtanh = HARDTANH, hardtanh(x) -> y {
        /// Lower bound of hardtanh. Default: -1.0.
        min_val: f64 = -1.0 => float(MIN_VAL),
        /// Upper bound of hardtanh. Default: 1.0.
        max_val: f64 = 1.0 => float(MAX_VAL),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// beta\*x > threshold ? x : log1p(e^(beta\*x))/beta.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - beta (number; default 1): sharpness of softplus.
    /// - threshold (number; default 20): beta\*x above which softplus is x.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.nn.functional.softplus.
    Softplus = SOFTPLUS, softplus(x) -> y {
        /// Sharpness of softplus. Default: 1.0.
        beta: f64 = 1.0 => float(BETA),
        /// Beta\*x above which softplus is x. Default: 20.0.
        threshold: f64 = 20.0 => float(THRESHOLD),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x * tanh(softplus(x)), algebraic form.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// mish(-inf) = -0.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: Misra, arXiv:1908.08681; torch.nn.functional.mish.
    Mish = MISH, mish(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x > 0 ? x : weight\[c\]\*x, c the index along `axis`; weight 0-d, (1,) or (C,).
    ///
    /// Inputs: `x` (float), `weight` (float). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - weight (float): 0-d or (1,), one slope for all; or (C,), C being the size of x's dimension
    ///   `axis`, which x must then have (for a 1-d x: axis = 0).
    /// - y (result): the shape of x.
    ///
    /// Attributes:
    ///
    /// - axis (integer; default 1): dimension of the channels or of an index; -1 is the last one.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: operands of different dtypes are promoted as in PyTorch (a 0-d operand counts by its
    /// kind alone; float16 with bfloat16 gives float32). The result has the promoted dtype. For an
    /// output of another dtype it is converted once: to a float by rounding to nearest even, to an
    /// integer toward zero with saturation (NaN gives 0), to bool by being other than 0.
    ///
    /// Accuracy: float results are the exact value, rounded once.
    ///
    /// Source: He et al., arXiv:1502.01852; torch.nn.functional.prelu.
    Prelu = PRELU, prelu(x, weight) -> y {
        /// Dimension of the channels or of an index; -1 is the last one. Default: 1.
        axis: i64 = 1 => int(AXIS),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// log(sigmoid(x)), right where sigmoid(x) is 0 or 1.
    ///
    /// Inputs: `x` (float or int or bool). Output: `y`, of any dtype; the natural one is the
    /// promoted dtype of the inputs; integers and bool give f32.
    ///
    /// logsigmoid(-inf) = -inf, logsigmoid(inf) = 0.
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
    /// Source: torch.nn.functional.logsigmoid.
    Logsigmoid = LOGSIGMOID, logsigmoid(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x / (1 + |x|).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// softsign(+-inf) = +-1.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.nn.functional.softsign, of which that is NaN.
    Softsign = SOFTSIGN, softsign(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x > 0 ? x : alpha\*expm1(x/alpha).
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// celu(-inf) = -alpha.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
    /// - y (result): the shape of the input.
    ///
    /// Attributes:
    ///
    /// - alpha (number; default 1): multiplier of the second operand, or of the negative branch.
    /// - fp8_overflow (saturate = 0 or nonsaturating = 1; optional): fp8 results beyond the largest
    ///   number: that number, or infinity (e5m2) and NaN (e4m3fn); operands of the output's dtype
    ///   that are only selected keep their bits; absent: saturate for e4m3fn, else nonsaturating.
    ///
    /// Dtypes: the result has the dtype of x. For an output of another dtype it is converted once:
    /// to a float by rounding to nearest even, to an integer toward zero with saturation (NaN gives
    /// 0), to bool by being other than 0.
    ///
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: Barron, arXiv:1704.07483; torch.nn.functional.celu.
    Celu = CELU, celu(x) -> y {
        /// Multiplier of the second operand, or of the negative branch. Default: 1.0.
        alpha: f64 = 1.0 => float(ALPHA),
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}

operator! {
    /// x - tanh(x), right near 0.
    ///
    /// Inputs: `x` (float). Output: `y`, of any dtype; the natural one is the promoted dtype of the
    /// inputs.
    ///
    /// x^3/3 near 0, where the difference has no digits left.
    ///
    /// Operands and their shapes:
    ///
    /// - x (float): any shape.
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
    /// Accuracy: a float32 result is within 2 ulp of the exact one, a float64 result within 2 ulp.
    /// 8- and 16-bit results of operands of their own dtype are the exact value, rounded once.
    ///
    /// Source: torch.nn.functional.tanhshrink.
    Tanhshrink = TANHSHRINK, tanhshrink(x) -> y {
        /// Fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
        /// operands of the output's dtype that are only selected keep their bits; absent: saturate
        /// for e4m3fn, else nonsaturating. Default: absent.
        fp8_overflow: Option<Fp8Overflow> = None => optional_choice(FP8_OVERFLOW),
    }
}
