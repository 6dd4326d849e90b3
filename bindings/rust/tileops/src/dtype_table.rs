// Written by `./dev bindings` from tileops/dtypes.def; do not edit.

use tileops_sys::DLDataType;

/// Type of the elements of a tensor.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DType {
    /// IEEE half precision.
    F16,
    /// The upper half of a float32.
    BF16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// OCP float8 with 4 exponent bits, no infinities, largest value 448.
    F8E4M3,
    /// OCP float8 with 5 exponent bits, largest value 57344.
    F8E5M2,
    /// Signed, 8 bits.
    I8,
    /// Signed, 16 bits.
    I16,
    /// Signed, 32 bits.
    I32,
    /// Signed, 64 bits.
    I64,
    /// Unsigned, 8 bits.
    U8,
    /// Unsigned, 16 bits.
    U16,
    /// Unsigned, 32 bits.
    U32,
    /// Unsigned, 64 bits.
    U64,
    /// One byte, 0 or 1.
    Bool,
    /// OCP scale of a block: an exponent alone, powers of two from 2^-127 to 2^127 and NaN.
    F8E8M0,
    /// OCP float4: 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives, two in a byte.
    F4E2M1,
}

#[rustfmt::skip]
impl DType {
    /// All of them.
    pub const ALL: &'static [DType] = &[
        DType::F16,
        DType::BF16,
        DType::F32,
        DType::F64,
        DType::F8E4M3,
        DType::F8E5M2,
        DType::I8,
        DType::I16,
        DType::I32,
        DType::I64,
        DType::U8,
        DType::U16,
        DType::U32,
        DType::U64,
        DType::Bool,
        DType::F8E8M0,
        DType::F4E2M1,
    ];

    /// Its name in texts: `"float32"`.
    pub const fn name(self) -> &'static str {
        match self {
            DType::F16 => "float16",
            DType::BF16 => "bfloat16",
            DType::F32 => "float32",
            DType::F64 => "float64",
            DType::F8E4M3 => "float8_e4m3fn",
            DType::F8E5M2 => "float8_e5m2",
            DType::I8 => "int8",
            DType::I16 => "int16",
            DType::I32 => "int32",
            DType::I64 => "int64",
            DType::U8 => "uint8",
            DType::U16 => "uint16",
            DType::U32 => "uint32",
            DType::U64 => "uint64",
            DType::Bool => "bool",
            DType::F8E8M0 => "float8_e8m0fnu",
            DType::F4E2M1 => "float4_e2m1fn",
        }
    }

    /// Its short name: `"f32"`.
    pub const fn label(self) -> &'static str {
        match self {
            DType::F16 => "f16",
            DType::BF16 => "bf16",
            DType::F32 => "f32",
            DType::F64 => "f64",
            DType::F8E4M3 => "e4m3fn",
            DType::F8E5M2 => "e5m2",
            DType::I8 => "i8",
            DType::I16 => "i16",
            DType::I32 => "i32",
            DType::I64 => "i64",
            DType::U8 => "u8",
            DType::U16 => "u16",
            DType::U32 => "u32",
            DType::U64 => "u64",
            DType::Bool => "bool",
            DType::F8E8M0 => "e8m0fnu",
            DType::F4E2M1 => "e2m1fn",
        }
    }

    /// The DLPack type.
    pub const fn to_dlpack(self) -> DLDataType {
        match self {
            DType::F16 => DLDataType { code: 2, bits: 16, lanes: 1 },
            DType::BF16 => DLDataType { code: 4, bits: 16, lanes: 1 },
            DType::F32 => DLDataType { code: 2, bits: 32, lanes: 1 },
            DType::F64 => DLDataType { code: 2, bits: 64, lanes: 1 },
            DType::F8E4M3 => DLDataType { code: 10, bits: 8, lanes: 1 },
            DType::F8E5M2 => DLDataType { code: 12, bits: 8, lanes: 1 },
            DType::I8 => DLDataType { code: 0, bits: 8, lanes: 1 },
            DType::I16 => DLDataType { code: 0, bits: 16, lanes: 1 },
            DType::I32 => DLDataType { code: 0, bits: 32, lanes: 1 },
            DType::I64 => DLDataType { code: 0, bits: 64, lanes: 1 },
            DType::U8 => DLDataType { code: 1, bits: 8, lanes: 1 },
            DType::U16 => DLDataType { code: 1, bits: 16, lanes: 1 },
            DType::U32 => DLDataType { code: 1, bits: 32, lanes: 1 },
            DType::U64 => DLDataType { code: 1, bits: 64, lanes: 1 },
            DType::Bool => DLDataType { code: 6, bits: 8, lanes: 1 },
            DType::F8E8M0 => DLDataType { code: 14, bits: 8, lanes: 1 },
            DType::F4E2M1 => DLDataType { code: 17, bits: 4, lanes: 2 },
        }
    }
}
