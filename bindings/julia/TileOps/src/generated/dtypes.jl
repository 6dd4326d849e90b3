# Written by bindings/julia/generate.py from the C library's tables; `./dev bindings` writes it anew.

const DTYPES = (Float16 => (2, 16, 1),
    BFloat16 => (4, 16, 1),
    Float32 => (2, 32, 1),
    Float64 => (2, 64, 1),
    Float8_E4M3FN => (10, 8, 1),
    Float8_E5M2 => (12, 8, 1),
    Int8 => (0, 8, 1),
    Int16 => (0, 16, 1),
    Int32 => (0, 32, 1),
    Int64 => (0, 64, 1),
    UInt8 => (1, 8, 1),
    UInt16 => (1, 16, 1),
    UInt32 => (1, 32, 1),
    UInt64 => (1, 64, 1),
    Bool => (6, 8, 1),
    Float8_E8M0FNU => (14, 8, 1),
    Float4_E2M1FN_x2 => (17, 4, 2))
