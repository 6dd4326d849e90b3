# Written by bindings/julia/generate.py from the C library's tables; `./dev bindings` writes it anew.

const DTYPES = (Float16 => (2, 16),
    BFloat16 => (4, 16),
    Float32 => (2, 32),
    Float64 => (2, 64),
    Float8_E4M3FN => (10, 8),
    Float8_E5M2 => (12, 8),
    Int8 => (0, 8),
    Int16 => (0, 16),
    Int32 => (0, 32),
    Int64 => (0, 64),
    UInt8 => (1, 8),
    UInt16 => (1, 16),
    UInt32 => (1, 32),
    UInt64 => (1, 64),
    Bool => (6, 8),
    Float8_E8M0FNU => (14, 8))
