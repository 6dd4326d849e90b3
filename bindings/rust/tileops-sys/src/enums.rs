// Written by `./dev bindings` from tileops/tileops.h; do not edit.

//! Enums of the C header, as newtypes.

/// `tileops_status`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_status(pub i32);

impl tileops_status {
    /// `OK`.
    pub const OK: Self = Self(0);
    /// the caller's mistake: NULL, shape, stride, overlap...
    pub const INVALID_ARGUMENT: Self = Self(1);
    /// valid, but not for this operator, dtype or device
    pub const UNSUPPORTED: Self = Self(2);
    /// `OUT_OF_MEMORY`.
    pub const OUT_OF_MEMORY: Self = Self(3);
    /// a driver call failed: tileops_last_driver_error()
    pub const DEVICE: Self = Self(4);
    /// run-time compilation failed; the log is in the message
    pub const COMPILE: Self = Self(5);
    /// explicit cache calls only, never planning
    pub const IO: Self = Self(6);
    /// a struct from a header newer than this library
    pub const VERSION: Self = Self(7);
    /// \*size says how many bytes are needed
    pub const BUFFER_TOO_SMALL: Self = Self(8);
    /// no such device, driver or compiler library
    pub const NO_DEVICE: Self = Self(9);
    /// a bug in the library; please report the message
    pub const INTERNAL: Self = Self(10);
}

/// `tileops_cache_mode`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_cache_mode(pub i32);

impl tileops_cache_mode {
    /// TILEOPS_CACHE, else read-write
    pub const DEFAULT: Self = Self(0);
    /// `OFF`.
    pub const OFF: Self = Self(1);
    /// `READ_ONLY`.
    pub const READ_ONLY: Self = Self(2);
    /// `READ_WRITE`.
    pub const READ_WRITE: Self = Self(3);
}

/// `tileops_op`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_op(pub i32);

impl tileops_op {
    /// no operator
    pub const NONE: Self = Self(0);
    /// e^x
    pub const EXP: Self = Self(101);
    /// natural logarithm; log(0) = -inf, NaN below
    pub const LOG: Self = Self(102);
    /// square root
    pub const SQRT: Self = Self(103);
    /// 1/sqrt(x); rsqrt(0) = inf
    pub const RSQRT: Self = Self(104);
    /// 1/x; reciprocal(-0) = -inf
    pub const RECIPROCAL: Self = Self(105);
    /// sine of x radians, for every finite x
    pub const SIN: Self = Self(106);
    /// cosine of x radians, for every finite x
    pub const COS: Self = Self(107);
    /// error function
    pub const ERF: Self = Self(108);
    /// log(1 + x), accurate near 0
    pub const LOG1P: Self = Self(109);
    /// e^x - 1, accurate near 0
    pub const EXPM1: Self = Self(110);
    /// absolute value; abs(INT_MIN) wraps
    pub const ABS: Self = Self(111);
    /// -x; integers wrap
    pub const NEG: Self = Self(112);
    /// -1, 0 or 1; sign(NaN) = 0 as in PyTorch
    pub const SIGN: Self = Self(113);
    /// largest integer <= x
    pub const FLOOR: Self = Self(114);
    /// smallest integer >= x
    pub const CEIL: Self = Self(115);
    /// x without its fraction
    pub const TRUNC: Self = Self(116);
    /// nearest integer, half to even; to `decimals` places
    pub const ROUND: Self = Self(117);
    /// tangent of x radians, for every finite x
    pub const TAN: Self = Self(118);
    /// angle of \[-pi/2, pi/2\] whose sine is x; NaN beyond 1
    pub const ASIN: Self = Self(119);
    /// angle of \[0, pi\] whose cosine is x; NaN beyond 1
    pub const ACOS: Self = Self(120);
    /// angle of \[-pi/2, pi/2\] whose tangent is x
    pub const ATAN: Self = Self(121);
    /// hyperbolic sine
    pub const SINH: Self = Self(122);
    /// hyperbolic cosine
    pub const COSH: Self = Self(123);
    /// inverse of sinh
    pub const ASINH: Self = Self(124);
    /// inverse of cosh, from 0 on; NaN below 1
    pub const ACOSH: Self = Self(125);
    /// inverse of tanh; NaN beyond 1
    pub const ATANH: Self = Self(126);
    /// 2^x
    pub const EXP2: Self = Self(1005);
    /// binary logarithm; log2(0) = -inf, NaN below
    pub const LOG2: Self = Self(1006);
    /// decimal logarithm; log10(0) = -inf, NaN below
    pub const LOG10: Self = Self(127);
    /// cube root
    pub const CBRT: Self = Self(128);
    /// sin(pi x) / (pi x); sinc(0) = 1
    pub const SINC: Self = Self(129);
    /// 1 - erf(x), right where that is next to nothing
    pub const ERFC: Self = Self(130);
    /// inverse of erf; NaN beyond 1
    pub const ERFINV: Self = Self(131);
    /// logarithm of |Gamma(x)|
    pub const LGAMMA: Self = Self(132);
    /// a + alpha\*b; bool: or
    pub const ADD: Self = Self(201);
    /// a - alpha\*b
    pub const SUB: Self = Self(202);
    /// a * b; bool: and
    pub const MUL: Self = Self(203);
    /// a / b
    pub const DIV: Self = Self(204);
    /// remainder with the sign of b, exact; x % 0 = NaN for floats
    pub const REMAINDER: Self = Self(205);
    /// floored quotient, PyTorch's fmod-based definition
    pub const FLOOR_DIVIDE: Self = Self(206);
    /// a^b with the IEEE special cases of C pow
    pub const POW: Self = Self(207);
    /// a + weight\*(b - a), exact at weight = 0 and 1 if b - a is finite, but for the sign of a
    /// zero
    pub const LERP: Self = Self(208);
    /// larger operand; NaN propagates, +0 > -0
    pub const MAXIMUM: Self = Self(209);
    /// smaller operand; NaN propagates, -0 < +0
    pub const MINIMUM: Self = Self(210);
    /// angle of the point (b, a), of \[-pi, pi\], with the special cases of C atan2
    pub const ATAN2: Self = Self(211);
    /// sqrt(a^2 + b^2) without overflow on the way; infinite where an operand is
    pub const HYPOT: Self = Self(212);
    /// remainder with the sign of a, exact; fmod(x, 0) = NaN for floats
    pub const FMOD: Self = Self(213);
    /// a with the sign of b, which zeros have and NaNs not
    pub const COPYSIGN: Self = Self(214);
    /// the number of the operands' dtype next to a on the way to b; b where they are equal
    pub const NEXTAFTER: Self = Self(215);
    /// log(e^a + e^b), also where e^a or e^b is too large
    pub const LOGADDEXP: Self = Self(216);
    /// max(x, 0); NaN stays
    pub const RELU: Self = Self(301);
    /// x * Phi(x), or its tanh approximation
    pub const GELU: Self = Self(302);
    /// x / (1 + e^-x)
    pub const SILU: Self = Self(303);
    /// 1 / (1 + e^-x)
    pub const SIGMOID: Self = Self(304);
    /// hyperbolic tangent
    pub const TANH: Self = Self(305);
    /// x > 0 ? x : negative_slope\*x
    pub const LEAKY_RELU: Self = Self(306);
    /// x > 0 ? x : alpha\*expm1(x)
    pub const ELU: Self = Self(307);
    /// 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772\*expm1(x))
    pub const SELU: Self = Self(308);
    /// x * clamp(x + 3, 0, 6) / 6; NaN stays
    pub const HARDSWISH: Self = Self(309);
    /// clamp(x + 3, 0, 6) / 6; NaN stays
    pub const HARDSIGMOID: Self = Self(310);
    /// clamp(x, min_val, max_val); NaN stays
    pub const HARDTANH: Self = Self(311);
    /// beta\*x > threshold ? x : log1p(e^(beta\*x))/beta
    pub const SOFTPLUS: Self = Self(312);
    /// x * tanh(softplus(x)), algebraic form
    pub const MISH: Self = Self(313);
    /// x > 0 ? x : weight\[c\]\*x, c the index along `axis`; weight 0-d, (1,) or (C,)
    pub const PRELU: Self = Self(314);
    /// log(sigmoid(x)), right where sigmoid(x) is 0 or 1
    pub const LOGSIGMOID: Self = Self(1007);
    /// x / (1 + |x|)
    pub const SOFTSIGN: Self = Self(315);
    /// x > 0 ? x : alpha\*expm1(x/alpha)
    pub const CELU: Self = Self(316);
    /// x - tanh(x), right near 0
    pub const TANHSHRINK: Self = Self(317);
    /// silu(gate) * value
    pub const SILU_AND_MUL: Self = Self(401);
    /// gelu(gate) * value
    pub const GELU_AND_MUL: Self = Self(402);
    /// gelu_tanh(gate) * value
    pub const GELU_TANH_AND_MUL: Self = Self(403);
    /// a == b
    pub const EQ: Self = Self(501);
    /// a != b; true for NaN
    pub const NE: Self = Self(502);
    /// a > b
    pub const GT: Self = Self(503);
    /// a < b
    pub const LT: Self = Self(504);
    /// a >= b
    pub const GE: Self = Self(505);
    /// a <= b
    pub const LE: Self = Self(506);
    /// a & b
    pub const BITWISE_AND: Self = Self(511);
    /// a | b
    pub const BITWISE_OR: Self = Self(512);
    /// a ^ b
    pub const BITWISE_XOR: Self = Self(513);
    /// ~x; bool: not
    pub const BITWISE_NOT: Self = Self(514);
    /// a << b; 0 where b is negative or the number of bits or more
    pub const BITWISE_LEFT_SHIFT: Self = Self(515);
    /// a >> b, of a negative a the floor; where b is negative or the number of bits or more, 0 or
    /// -1
    pub const BITWISE_RIGHT_SHIFT: Self = Self(516);
    /// number of bits that are set, a negative x in two's complement
    pub const POPCOUNT: Self = Self(517);
    /// both non-zero; NaN is true
    pub const LOGICAL_AND: Self = Self(521);
    /// either non-zero; NaN is true
    pub const LOGICAL_OR: Self = Self(522);
    /// zero; NaN is true, so its negation is false
    pub const LOGICAL_NOT: Self = Self(523);
    /// cond ? x : y, bits kept if x, y and out are of one dtype
    pub const WHERE: Self = Self(601);
    /// min(max(x, min), max); NaN propagates; one bound may be absent
    pub const CLAMP: Self = Self(602);
    /// mask ? value : x; value is 0-d, taken in the type that x is computed in and converted once
    pub const MASKED_FILL: Self = Self(603);
    /// replaces NaN and infinities; others unchanged
    pub const NAN_TO_NUM: Self = Self(604);
    /// x is NaN
    pub const ISNAN: Self = Self(605);
    /// x is infinite
    pub const ISINF: Self = Self(606);
    /// x is neither NaN nor infinite
    pub const ISFINITE: Self = Self(607);
    /// conversion; floats to integers truncate and saturate, NaN to 0; also copies strided memory
    pub const CAST: Self = Self(608);
    /// rotary embedding, pairs (i, i + d/2)
    pub const ROPE_NEOX: Self = Self(701);
    /// rotary embedding, pairs (2i, 2i + 1)
    pub const ROPE_NON_NEOX: Self = Self(702);
    /// rotary embedding with the frequency scaling of Llama 3.1
    pub const ROPE_LLAMA31: Self = Self(703);
    /// rotary embedding with YaRN scaling (arXiv:2309.00071)
    pub const ROPE_YARN: Self = Self(704);
    /// rotary embedding with LongRoPE's rescale factors (arXiv:2402.13753)
    pub const ROPE_LONGROPE: Self = Self(705);
    /// keep ? x/(1-p) : 0, keep by Philox4x32-10 of the element's index
    pub const DROPOUT: Self = Self(711);
    /// -slope\[h\] * |i + offset - j| for y of shape (H, Sq, Sk) (arXiv:2108.12409)
    pub const ALIBI: Self = Self(721);
    /// sin and cos of position/base^(2i/D) for y of shape (S, D) (arXiv:1706.03762)
    pub const SINUSOIDAL: Self = Self(731);
    /// index of the element along an axis, counted from the end
    pub const INDEX: Self = Self(1001);
    /// number of elements along axes, counted from the end
    pub const EXTENT: Self = Self(1002);
    /// mask of the operator dropout for an operand of x's shape
    pub const DROPOUT_MASK: Self = Self(1003);
    /// a * b + c, rounded once
    pub const FMA: Self = Self(1004);
    /// the i-th of n equal parts of the last axis
    pub const CHUNK: Self = Self(1011);
    /// every n-th element of the last axis, from the i-th on
    pub const EVERY: Self = Self(1012);
    /// a result that has the values one after the other along the last axis
    pub const CONCAT: Self = Self(1013);
    /// a result that has the elements of the values in turns along the last axis
    pub const INTERLEAVE: Self = Self(1014);
    /// sum along axes; of integers and bool in int64
    pub const SUM: Self = Self(1101);
    /// mean along axes
    pub const MEAN: Self = Self(1102);
    /// largest element along axes, or NaN if there is one
    pub const AMAX: Self = Self(1103);
    /// least element along axes, or NaN if there is one
    pub const AMIN: Self = Self(1104);
    /// product along axes; of integers and bool in int64
    pub const PROD: Self = Self(1105);
    /// true where any element along axes is other than 0
    pub const ANY: Self = Self(1106);
    /// true where all elements along axes are other than 0
    pub const ALL: Self = Self(1107);
    /// index of the first largest element along axes, within its group
    pub const ARGMAX: Self = Self(1108);
    /// index of the first least element along axes, within its group
    pub const ARGMIN: Self = Self(1109);
    /// variance along axes: squared deviations from the mean, summed, by their number less the
    /// correction
    pub const VAR: Self = Self(1110);
    /// log(sum(exp(x))) along axes, also where exp(x) is too large or all are 0
    pub const LOGSUMEXP: Self = Self(1111);
    /// s brought to x's shape: broadcast, or each element of s for its group
    pub const SPREAD: Self = Self(1121);
    /// x, summed where y was broadcast to its shape, of y's dtype
    pub const SUM_TO: Self = Self(1122);
    /// x, to which no gradient is passed
    pub const DETACH: Self = Self(1123);
    /// the elements of t at indices along axes, all other axes broadcast
    pub const GATHER: Self = Self(1131);
    /// a result of which the elements at indices along axes are v, and others stay
    pub const SCATTER: Self = Self(1132);
    /// a result of integers that has at indices along axes the sums of what v has for them, and
    /// elsewhere 0
    pub const SCATTER_ADD: Self = Self(1134);
    /// a result that is v where m is true; elsewhere what is there stays, untouched
    pub const STORE_IF: Self = Self(1135);
    /// a result that has scales in the tiles of matrix libraries
    pub const TILED: Self = Self(1133);
    /// sum of the elements up to each one along an axis; of integers and bool in int64
    pub const CUMSUM: Self = Self(1141);
    /// product of the elements up to each one along an axis; of integers and bool in int64
    pub const CUMPROD: Self = Self(1142);
    /// largest of the elements up to each one along an axis
    pub const CUMMAX: Self = Self(1143);
    /// least of the elements up to each one along an axis
    pub const CUMMIN: Self = Self(1144);
}

/// `tileops_attr_key`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_attr_key(pub i32);

impl tileops_attr_key {
    /// no attribute
    pub const NONE: Self = Self(0);
    /// multiplier of the second operand, or of the negative branch
    pub const ALPHA: Self = Self(1);
    /// sharpness of softplus
    pub const BETA: Self = Self(2);
    /// beta\*x above which softplus is x
    pub const THRESHOLD: Self = Self(3);
    /// slope for x <= 0
    pub const NEGATIVE_SLOPE: Self = Self(4);
    /// lower bound of hardtanh
    pub const MIN_VAL: Self = Self(5);
    /// upper bound of hardtanh
    pub const MAX_VAL: Self = Self(6);
    /// formula of gelu: none is the exact one, tanh an approximation of it
    pub const APPROXIMATE: Self = Self(7);
    /// decimal places to round to; negative: left of the point; at most 22 either way, 10 for
    /// floats of at most 32 bits
    pub const DECIMALS: Self = Self(8);
    /// how a quotient is rounded: not (none), toward zero (trunc) or down (floor); with trunc and
    /// floor integers stay integers. A cast to float8_e8m0fnu rounds to the nearest power of two
    /// (none), the next lower one (trunc, floor) or the next higher one (up)
    pub const ROUNDING: Self = Self(9);
    /// exponent, where it is not an operand
    pub const EXPONENT: Self = Self(10);
    /// interpolation weight, where it is not an operand
    pub const WEIGHT: Self = Self(11);
    /// dimension of the channels or of an index; -1 is the last one
    pub const AXIS: Self = Self(12);
    /// lower bound, where it is not an operand; absent: none
    pub const MIN: Self = Self(13);
    /// upper bound, where it is not an operand; absent: none
    pub const MAX: Self = Self(14);
    /// fill value, where it is not an operand
    pub const VALUE: Self = Self(15);
    /// replacement for NaN
    pub const NAN: Self = Self(16);
    /// replacement for +inf; absent: the dtype's largest finite value
    pub const POSINF: Self = Self(17);
    /// replacement for -inf; absent: the dtype's lowest finite value
    pub const NEGINF: Self = Self(18);
    /// position dimension; absent: -2 for rank 2, else -3
    pub const SEQ_AXIS: Self = Self(19);
    /// added to positions; for dropout the Philox offset
    pub const OFFSET: Self = Self(20);
    /// leading part of the head that is rotated; absent: all of it
    pub const ROTARY_DIM: Self = Self(21);
    /// base of the frequencies
    pub const BASE: Self = Self(22);
    /// 1: pairs (2i, 2i+1); 0: pairs (i, i + d/2)
    pub const INTERLEAVED: Self = Self(23);
    /// context extension factor
    pub const SCALE_FACTOR: Self = Self(24);
    /// Llama 3.1 scaling
    pub const LOW_FREQ_FACTOR: Self = Self(25);
    /// Llama 3.1 scaling
    pub const HIGH_FREQ_FACTOR: Self = Self(26);
    /// context length of the base model
    pub const ORIGINAL_MAX_POSITION: Self = Self(27);
    /// YaRN: rotations above which a dimension is not scaled
    pub const BETA_FAST: Self = Self(28);
    /// YaRN: rotations below which a dimension is fully scaled
    pub const BETA_SLOW: Self = Self(29);
    /// YaRN: multiplies cos and sin
    pub const ATTN_FACTOR: Self = Self(30);
    /// LongRoPE: extended context length
    pub const MAX_POSITION: Self = Self(31);
    /// probability of dropping an element
    pub const P: Self = Self(32);
    /// 64-bit Philox key
    pub const SEED: Self = Self(33);
    /// 0: copy the input
    pub const TRAINING: Self = Self(34);
    /// 1: -inf above the diagonal
    pub const CAUSAL: Self = Self(35);
    /// head slopes: those of the paper, or 2^(-8(h+1)/H) for every H
    pub const SLOPES: Self = Self(36);
    /// sines in even and cosines in odd columns, or in the first and the second half
    pub const LAYOUT: Self = Self(37);
    /// fp8 results beyond the largest number: that number, or infinity (e5m2) and NaN (e4m3fn);
    /// operands of the output's dtype that are only selected keep their bits; absent: saturate for
    /// e4m3fn, else nonsaturating
    pub const FP8_OVERFLOW: Self = Self(38);
    /// what a cast within an expression converts to: DLPack's code * 256 + bits
    pub const DTYPE: Self = Self(39);
    /// which part of the last axis, or which of its elements first, counted from 0
    pub const PART: Self = Self(40);
    /// number of parts of the last axis, or the step from element to element
    pub const PARTS: Self = Self(41);
    /// axes, counted from the end: -1, (-2, -1), all. By key a set: bit k - 1 for axis -k, all bits
    /// (-1) for all
    pub const AXES: Self = Self(42);
    /// elements of a group, one number for each axis: 128, (16, 128). By key 32 bits an axis, the
    /// low ones for the last; 0: no groups
    pub const GROUP: Self = Self(43);
    /// what is taken off the number of elements
    pub const CORRECTION: Self = Self(44);
    /// true: from the last element to the first
    pub const REVERSE: Self = Self(45);
    /// true: without the element itself
    pub const EXCLUSIVE: Self = Self(46);
    /// rows of a tile: 128 or 8
    pub const ROWS: Self = Self(47);
}

/// `tileops_attr_kind`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_attr_kind(pub i32);

impl tileops_attr_kind {
    /// `F64`.
    pub const F64: Self = Self(1);
    /// `I64`.
    pub const I64: Self = Self(2);
}

/// `TILEOPS_APPROXIMATE_NONE`.
pub const TILEOPS_APPROXIMATE_NONE: u32 = 0;

/// `TILEOPS_APPROXIMATE_TANH`.
pub const TILEOPS_APPROXIMATE_TANH: u32 = 1;

/// `TILEOPS_ROUNDING_NONE`.
pub const TILEOPS_ROUNDING_NONE: u32 = 0;

/// `TILEOPS_ROUNDING_TRUNC`.
pub const TILEOPS_ROUNDING_TRUNC: u32 = 1;

/// `TILEOPS_ROUNDING_FLOOR`.
pub const TILEOPS_ROUNDING_FLOOR: u32 = 2;

/// `TILEOPS_ROUNDING_UP`.
pub const TILEOPS_ROUNDING_UP: u32 = 3;

/// `TILEOPS_SLOPES_PAPER`.
pub const TILEOPS_SLOPES_PAPER: u32 = 0;

/// `TILEOPS_SLOPES_GEOMETRIC`.
pub const TILEOPS_SLOPES_GEOMETRIC: u32 = 1;

/// `TILEOPS_LAYOUT_INTERLEAVED`.
pub const TILEOPS_LAYOUT_INTERLEAVED: u32 = 0;

/// `TILEOPS_LAYOUT_HALVES`.
pub const TILEOPS_LAYOUT_HALVES: u32 = 1;

/// `TILEOPS_FP8_OVERFLOW_SATURATE`.
pub const TILEOPS_FP8_OVERFLOW_SATURATE: u32 = 0;

/// `TILEOPS_FP8_OVERFLOW_NONSATURATING`.
pub const TILEOPS_FP8_OVERFLOW_NONSATURATING: u32 = 1;

/// float16 bfloat16 float32 float64 float8_e4m3fn float8_e5m2
pub const TILEOPS_DTYPES_FLOAT: u32 = 1;

/// int8..int64 uint8..uint64
pub const TILEOPS_DTYPES_INT: u32 = 2;

/// `TILEOPS_DTYPES_BOOL`.
pub const TILEOPS_DTYPES_BOOL: u32 = 4;

/// float8_e8m0fnu
pub const TILEOPS_DTYPES_SCALE: u32 = 8;

/// float4_e2m1fn; expressions take it as a float wherever they take floats
pub const TILEOPS_DTYPES_PACKED: u32 = 16;

/// float32 and float64 results with the same bits on CPU and GPU
pub const TILEOPS_PLAN_REPRODUCIBLE: u32 = 1;

/// fail rather than compile at run time
pub const TILEOPS_PLAN_NO_JIT: u32 = 2;

/// do not look in or add to the plan cache
pub const TILEOPS_PLAN_NO_CACHE: u32 = 4;

/// CUDA: plain launches. Otherwise kernels on compute capability 9.0 or newer, with a driver of
/// CUDA 12.3 or newer, are launched so that they may begin before the one ahead in the stream has
/// ended (programmatic dependent launch); captured graphs then have programmatic edges, which some
/// tools refuse. Same results. Ignored by CPU plans.
pub const TILEOPS_PLAN_NO_PDL: u32 = 8;

/// for tileops_execute_list, whose kernels on CUDA have many items a launch; an execute is a list
/// of one. Same results
pub const TILEOPS_PLAN_LIST: u32 = 16;

/// `tileops_strategy`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_strategy(pub i32);

impl tileops_strategy {
    /// what tileops_tune found on this device, else the library's own table
    pub const AUTO: Self = Self(0);
    /// one element a thread
    pub const DIRECT: Self = Self(1);
    /// num_per_thread elements a thread, each access one element, neighbouring threads on
    /// neighbouring ones
    pub const EXPLICIT_PARALLEL: Self = Self(2);
    /// accesses of 16 bytes, staged in registers; where no operand has 16 bytes in one piece:
    /// explicit_parallel. Rows that are reduced: kept by a block's threads
    pub const REGISTER_COPY: Self = Self(3);
    /// all results of an 8-bit operand in shared memory; of a 16-bit one where a block may have 128
    /// KiB of it
    pub const TABLE: Self = Self(4);
    /// transposed operands through squares of shared memory
    pub const TILE: Self = Self(5);
    /// rows that are reduced: a block's threads read a row once for each of its stages
    pub const REREAD: Self = Self(6);
    /// rows that are reduced: kept in the shared memory of a cluster of 1 to 8 thread blocks, from
    /// sm_90 on
    pub const CLUSTER: Self = Self(7);
}

/// `tileops_plan_prop`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_plan_prop(pub i32);

impl tileops_plan_prop {
    /// uint64_t: bytes read + written by one execute, each element once; of what is gathered or
    /// scattered as many as there are places for
    pub const BYTES_MOVED: Self = Self(1);
    /// char\[\]: body, compute type and layout, NUL-terminated
    pub const KERNEL_NAME: Self = Self(2);
    /// char\[\]: CUDA "register_copy", "tile"... (tileops_strategy) or "none" without elements; CPU
    /// "rows", "program"...
    pub const STRATEGY: Self = Self(3);
    /// char\[\]: where the kernel came from: "builtin", "memory", "pack", "disk", "compiled"
    pub const CACHE_ORIGIN: Self = Self(4);
    /// char\[\]: CPU: what is done, an instruction a line, for people; CUDA: source given to the
    /// run-time compiler, or ""
    pub const SOURCE: Self = Self(5);
    /// char\[\]: "contiguous", "broadcast", "tiled", "strided"
    pub const LAYOUT: Self = Self(6);
    /// DLDevice
    pub const DEVICE: Self = Self(7);
    /// uint64_t: memory on the plan's device that an execute needs, 0 for most plans:
    /// tileops_execute_args.workspace
    pub const WORKSPACE_BYTES: Self = Self(8);
    /// uint64_t: elements of output 0
    pub const NUM_ELEMENTS: Self = Self(9);
    /// DLDataType in which the body computes
    pub const COMPUTE_DTYPE: Self = Self(10);
    /// int32_t: most threads of a block; 0 for CPU plans
    pub const THREADS: Self = Self(11);
    /// int32_t: elements of a thread; 0 for CPU plans
    pub const NUM_PER_THREAD: Self = Self(12);
    /// char\[\]: who chose the strategy: "given", "tuned", "auto"
    pub const STRATEGY_ORIGIN: Self = Self(13);
    /// int32_t: passes over memory of one execute: on CUDA kernels that it launches, on the CPU
    /// phases of tileops_execute_part
    pub const NUM_PASSES: Self = Self(14);
    /// int32_t: parts of a phase that are worth a thread each (tileops_execute_part): 1 for fewer
    /// than 65,536 elements; 0 for CUDA plans; of open plans tileops_plan_at has it
    pub const NUM_PARTS: Self = Self(15);
    /// int32_t: open extents, none of which must equal another; 0 for other plans
    pub const NUM_EXTENTS: Self = Self(16);
}

/// `tileops_number_kind`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_number_kind(pub i32);

impl tileops_number_kind {
    /// `DEFAULT`.
    pub const DEFAULT: Self = Self(0);
    /// `F64`.
    pub const F64: Self = Self(1);
    /// `I64`.
    pub const I64: Self = Self(2);
    /// `BOOL`.
    pub const BOOL: Self = Self(3);
}

/// `tileops_node_kind`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_node_kind(pub i32);

impl tileops_node_kind {
    /// `OPERAND`.
    pub const OPERAND: Self = Self(1);
    /// `SCALAR`.
    pub const SCALAR: Self = Self(2);
    /// `CONSTANT`.
    pub const CONSTANT: Self = Self(3);
    /// `FUNCTION`.
    pub const FUNCTION: Self = Self(4);
}

/// `TILEOPS_CACHE_PLANS`.
pub const TILEOPS_CACHE_PLANS: u32 = 1;

/// `TILEOPS_CACHE_DISK`.
pub const TILEOPS_CACHE_DISK: u32 = 2;

/// `tileops_log_level`. Values that are not listed here may come from a newer library.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct tileops_log_level(pub i32);

impl tileops_log_level {
    /// `OFF`.
    pub const OFF: Self = Self(0);
    /// `ERROR`.
    pub const ERROR: Self = Self(1);
    /// `WARN`.
    pub const WARN: Self = Self(2);
    /// plans made, kernels chosen
    pub const INFO: Self = Self(3);
    /// `DEBUG`.
    pub const DEBUG: Self = Self(4);
}
