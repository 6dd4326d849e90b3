# Element types: Julia's own, and carriers of the 16- and 8-bit floats that Julia lacks.

"16-bit float with the exponent of Float32 (bfloat16). Arithmetic is that of Float32, rounded."
primitive type BFloat16 <: AbstractFloat 16 end

"8-bit float, 4 exponent bits, no infinity, largest 448 (OCP E4M3). Arithmetic is that of Float32, rounded."
primitive type Float8_E4M3FN <: AbstractFloat 8 end

"8-bit float, 5 exponent bits, largest 57344 (OCP E5M2). Arithmetic is that of Float32, rounded."
primitive type Float8_E5M2 <: AbstractFloat 8 end

"Scale of a block, 8 exponent bits alone: powers of two from 2^-127 to 2^127, and NaN (OCP E8M0). No arithmetic."
primitive type Float8_E8M0FNU <: AbstractFloat 8 end

"""
Two 4-bit floats in a byte, the first in its low half (OCP E2M1): 0, 0.5, 1, 1.5, 2, 3, 4, 6 and their negatives.
Arrays of these count pairs along their first index. `Float4_E2M1FN_x2(a, b)` rounds; `Tuple(x)` are the values.
"""
primitive type Float4_E2M1FN_x2 8 end

const Float8 = Union{Float8_E4M3FN,Float8_E5M2}
const SmallFloat = Union{BFloat16,Float8_E4M3FN,Float8_E5M2}
const StoredFloat = Union{SmallFloat,Float8_E8M0FNU}

# ------------------------------------------------------------------ conversions ------------

bits(x::BFloat16) = reinterpret(UInt16, x)
bits(x::Float8) = reinterpret(UInt8, x)

Base.Float32(x::BFloat16) = reinterpret(Float32, UInt32(bits(x)) << 16)

function BFloat16(x::Float32)
    u = reinterpret(UInt32, x)
    isnan(x) && return reinterpret(BFloat16, UInt16(u >> 16) | 0x0040)
    reinterpret(BFloat16, ((u + 0x00007fff + (u >> 16 & 1)) >> 16) % UInt16)
end

# Rounded to odd on the way, so that two roundings are as good as one.
function BFloat16(x::Float64)
    y = Float32(x)
    if isfinite(y) && Float64(y) != x && iseven(reinterpret(UInt32, y))
        y = abs(Float64(y)) < abs(x) ? reinterpret(Float32, reinterpret(UInt32, y) + 0x1) :
            reinterpret(Float32, reinterpret(UInt32, y) - 0x1)
    end
    BFloat16(y)
end

fraction_bits(::Type{Float8_E4M3FN}) = 3
fraction_bits(::Type{Float8_E5M2}) = 2
bias(::Type{Float8_E4M3FN}) = 7
bias(::Type{Float8_E5M2}) = 15

Base.floatmax(::Type{Float8_E4M3FN}) = reinterpret(Float8_E4M3FN, 0x7e)
Base.floatmax(::Type{Float8_E5M2}) = reinterpret(Float8_E5M2, 0x7b)
Base.floatmax(::Type{BFloat16}) = reinterpret(BFloat16, 0x7f7f)

function Base.Float32(x::T) where {T<:Float8}
    u = bits(x)
    isnan(x) && return u & 0x80 == 0 ? NaN32 : -NaN32
    isinf(x) && return u & 0x80 == 0 ? Inf32 : -Inf32
    m = fraction_bits(T)
    exponent, fraction = Int(u & 0x7f) >> m, Int(u) & ((1 << m) - 1)
    magnitude = exponent == 0 ? ldexp(Float32(fraction), 1 - bias(T) - m) :
        ldexp(Float32(fraction + (1 << m)), exponent - bias(T) - m)
    u & 0x80 == 0 ? magnitude : -magnitude
end

nan_bits(::Type{Float8_E4M3FN}) = 0x7f
nan_bits(::Type{Float8_E5M2}) = 0x7e
# Above the largest value, as the library does it by default: E4M3FN saturates, E5M2 has infinity.
overflow_bits(::Type{Float8_E4M3FN}) = 0x7e
overflow_bits(::Type{Float8_E5M2}) = 0x7c

function (::Type{T})(x::Union{Float32,Float64}) where {T<:Float8}
    sign = signbit(x) ? 0x80 : 0x00
    isnan(x) && return reinterpret(T, nan_bits(T) | sign)
    a, m, least = abs(Float64(x)), fraction_bits(T), 1 - bias(T)
    isinf(a) && return reinterpret(T, overflow_bits(T) | sign)
    e = a == 0 ? least : max(exponent(a), least)
    # In units of the last place at that exponent; 2^(m+1) units carry into the next exponent.
    units = Int(round(ldexp(a, min(m - e, 1000)), RoundNearest))
    code = units < 1 << m ? units : units + ((e - least) << m)
    code > bits(floatmax(T)) && return reinterpret(T, overflow_bits(T) | sign)
    reinterpret(T, UInt8(code) | sign)
end

bits(x::Float8_E8M0FNU) = reinterpret(UInt8, x)
Base.Float32(x::Float8_E8M0FNU) = isnan(x) ? NaN32 : ldexp(1.0f0, Int(bits(x)) - 127)

# To the nearest power, ties to the larger one; the sign is dropped.
function Float8_E8M0FNU(x::Union{Float32,Float64})
    a = abs(Float64(x))
    isfinite(a) || return reinterpret(Float8_E8M0FNU, 0xff)
    e = a < 0x1p-127 ? -127 : exponent(a) + (significand(a) >= 1.5)
    reinterpret(Float8_E8M0FNU, UInt8(min(e, 128) + 127))
end

const FOURS = (0.0f0, 0.5f0, 1.0f0, 1.5f0, 2.0f0, 3.0f0, 4.0f0, 6.0f0)

# The nearest, ties to even codes; what is too large is the largest, NaN is 0.
function four_bits(x::Real)
    isnan(x) && return 0x00
    a, code = abs(Float64(x)), 0x00
    while code < 7
        tie = (Float64(FOURS[code+1]) + FOURS[code+2]) / 2
        (a < tie || a == tie && iseven(code)) && break
        code += 0x01
    end
    signbit(x) ? code | 0x08 : code
end

Float4_E2M1FN_x2(a::Real, b::Real) = reinterpret(Float4_E2M1FN_x2, four_bits(a) | four_bits(b) << 4)

function Base.Tuple(x::Float4_E2M1FN_x2)
    u = reinterpret(UInt8, x)
    value(code) = code & 0x08 == 0 ? FOURS[code&0x07+1] : -FOURS[code&0x07+1]
    (value(u & 0x0f), value(u >> 4))
end

Base.show(io::IO, x::Float4_E2M1FN_x2) = print(io, "Float4_E2M1FN_x2", Tuple(x))
Base.zero(::Type{Float4_E2M1FN_x2}) = reinterpret(Float4_E2M1FN_x2, 0x00)

for T in (:BFloat16, :Float8_E4M3FN, :Float8_E5M2, :Float8_E8M0FNU)
    @eval begin
        $T(x::$T) = x
        $T(x::Float16) = $T(Float32(x))
        $T(x::Integer) = $T(Float64(x))
        Base.Float64(x::$T) = Float64(Float32(x))
        Base.Float16(x::$T) = Float16(Float32(x))
        Base.promote_rule(::Type{$T}, ::Type{S}) where {S<:Union{Float16,Float32,Float64}} =
            S === Float64 ? Float64 : Float32
        Base.promote_rule(::Type{$T}, ::Type{<:Integer}) = $T
    end
end
const STORED = (BFloat16, Float8_E4M3FN, Float8_E5M2, Float8_E8M0FNU)
for S in STORED, T in STORED
    S === T || @eval $(nameof(S))(x::$(nameof(T))) = $(nameof(S))(Float32(x))
end

(::Type{T})(x::StoredFloat) where {T<:Integer} = T(Float32(x))
Base.Bool(x::StoredFloat) = Bool(Float32(x))

Base.isnan(x::BFloat16) = bits(x) & 0x7fff > 0x7f80
Base.isnan(x::Float8_E4M3FN) = bits(x) & 0x7f == 0x7f
Base.isnan(x::Float8_E5M2) = bits(x) & 0x7f > 0x7c
Base.isinf(x::BFloat16) = bits(x) & 0x7fff == 0x7f80
Base.isinf(x::Float8_E4M3FN) = false
Base.isinf(x::Float8_E5M2) = bits(x) & 0x7f == 0x7c
Base.isnan(x::Float8_E8M0FNU) = bits(x) == 0xff
Base.isinf(x::Float8_E8M0FNU) = false
Base.isfinite(x::StoredFloat) = !isnan(x) && !isinf(x)
Base.signbit(x::StoredFloat) = signbit(Float32(x))
Base.:(==)(x::StoredFloat, y::StoredFloat) = Float32(x) == Float32(y)
Base.:(<)(x::StoredFloat, y::StoredFloat) = Float32(x) < Float32(y)
Base.:(<=)(x::StoredFloat, y::StoredFloat) = Float32(x) <= Float32(y)
Base.isless(x::StoredFloat, y::StoredFloat) = isless(Float32(x), Float32(y))
Base.hash(x::StoredFloat, h::UInt) = hash(Float32(x), h)
Base.zero(::Type{T}) where {T<:SmallFloat} = T(0.0f0)
Base.one(::Type{T}) where {T<:SmallFloat} = T(1.0f0)
Base.show(io::IO, x::T) where {T<:StoredFloat} =
    get(io, :typeinfo, Any) === T ? show(io, Float32(x)) : print(io, nameof(T), "(", Float32(x), ")")

# ------------------------------------------------------------------ arithmetic -------------

for f in (:+, :-, :*, :/, :^)
    @eval Base.$f(x::T, y::T) where {T<:SmallFloat} = T($f(Float32(x), Float32(y)))
end
Base.:-(x::T) where {T<:SmallFloat} = reinterpret(T, bits(x) ⊻ (typemax(bits(x)) ⊻ typemax(bits(x)) >> 1))
Base.abs(x::T) where {T<:SmallFloat} = reinterpret(T, bits(x) & typemax(bits(x)) >> 1)
Base.sqrt(x::T) where {T<:SmallFloat} = T(sqrt(Float32(x)))

fraction_bits(::Type{BFloat16}) = 7
Base.eps(::Type{T}) where {T<:SmallFloat} = T(ldexp(1.0f0, -fraction_bits(T)))

# Multiples of eps(T) / 2 in [0, 1), all of the same probability.
function Random.rand(rng::Random.AbstractRNG, ::Random.SamplerTrivial{Random.CloseOpen01{T}}) where {T<:SmallFloat}
    precision = fraction_bits(T) + 1
    T(ldexp(Float32(rand(rng, UInt8) >> (8 - precision)), -precision))
end
Random.randn(rng::Random.AbstractRNG, ::Type{T}) where {T<:SmallFloat} = T(randn(rng, Float32))

# Two of these types promote to the wider one; Float16 and Float32 hold both where neither does.
Base.promote_rule(::Type{BFloat16}, ::Type{<:Float8}) = BFloat16
Base.promote_rule(::Type{Float8_E4M3FN}, ::Type{Float8_E5M2}) = Float16

# ------------------------------------------------------------------ DLPack -----------------

# DTYPES, of all rows of the table: Julia type => (code, bits, lanes).
include("generated/dtypes.jl")

"The library's dtype of a Julia type. Packages with types of their own add a method."
datatype(::Type{T}) where {T} =
    unsupported("TileOps: dtype: is not one of the library's (got $T, need $(join(first.(DTYPES), ", ", " or ")))")

for (T, (code, width, lanes)) in DTYPES
    @eval datatype(::Type{$(nameof(T))}) = $(DLDataType(code, width, lanes))
end

"Is there a method of `datatype` for that type?"
is_dtype(::Type) = false
is_dtype(::Type{<:Union{first.(DTYPES)...}}) = true
is_dtype(::Type{Union{}}) = false

const TYPES = DataType[first.(DTYPES)...]
const CODES = [datatype(T) for T in TYPES]

function julia_type(t::DLDataType)
    index = findfirst(isequal(t), CODES)
    index === nothing || return TYPES[index]
    unsupported("TileOps: dtype: is not one of the library's (got code $(Int(t.code)), " *
                "$(Int(t.bits)) bits, $(Int(t.lanes)) lanes)")
end

# As the texts of expressions name it.
dtype_name(::Type{Float4_E2M1FN_x2}) = "float4_e2m1fn"
dtype_name(::Type{T}) where {T} = lowercase(String(nameof(julia_type(datatype(T)))))

# ------------------------------------------------------------------ promotion --------------

# Categories in rising order of promotion; a float wins over an integer, that over a bool.
category(::Type{Bool}) = 1
category(::Type{<:Integer}) = 2
category(::Type{<:AbstractFloat}) = 3
category(::Type{Float4_E2M1FN_x2}) = 3

# PyTorch's rules, for the dtype of a result that the caller leaves open.
function promote_dtypes(::Type{S}, ::Type{T}) where {S,T}
    datatype(S) == datatype(T) && return S
    category(S) != category(T) && return category(S) > category(T) ? S : T
    if S <: AbstractFloat
        sizeof(S) != sizeof(T) && return sizeof(S) > sizeof(T) ? S : T
        return sizeof(S) == 1 ? Float16 : Float32
    end
    (S <: Signed) == (T <: Signed) && return sizeof(S) > sizeof(T) ? S : T
    S <: Signed ? promote_signs(S, T) : promote_signs(T, S)
end

function promote_signs(::Type{S}, ::Type{U}) where {S<:Signed,U<:Unsigned}
    sizeof(S) > sizeof(U) && return S
    U === UInt64 && unsupported("TileOps: inputs: have no common dtype (got $S and $U); convert one")
    widen(signed(U))
end
