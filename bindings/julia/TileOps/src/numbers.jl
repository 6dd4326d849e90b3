# Numbers in the place of operands: tensors of no dimensions, which do not raise the dtype of arrays in their category.

"A number as an operand. Its value lies in the frame of the call, so that there is no array to allocate."
struct Single{T<:Real}
    value::T
end

Base.ndims(::Type{<:Single}) = 0
Base.ndims(::Single) = 0
Base.size(::Single) = ()
Base.eltype(::Type{Single{T}}) where {T} = T
Base.eltype(::Single{T}) where {T} = T
steps(::Single) = ()
device_of(::Single) = CPU
rank(::Type{<:Single}) = 0
words(::Type{<:Single}) = TENSOR_WORDS + 1

@inline function write_tensor(base, slot, at, x::Single{T}) where {T}
    tensor, value = base + WORD * at, base + WORD * (at + TENSOR_WORDS)
    unsafe_store!(Ptr{T}(value), x.value)
    unsafe_store!(Ptr{DLTensor}(tensor), DLTensor(value, CPU, 0, datatype(T), C_NULL, C_NULL, 0))
    unsafe_store!(base, UInt(tensor), slot + 1)
    at + TENSOR_WORDS + 1
end

operand(x::Real) = Single(number(x))
operand(x::Single) = x

# The number in a type that the library has: other integers must be of 64 bits, all else is rounded to Float64.
number(x::Real) = is_dtype(typeof(x)) ? x : x isa Integer ? whole_number(x) : Float64(x)
whole_number(x) = typemin(Int64) <= x <= typemax(Int64) ? Int64(x) :
    invalid("TileOps: operand: is an integer beyond 64 bits (got $x); Float64(x) is taken")

# ------------------------------------------------------------------ what they have to fit --

"""
What an operator takes of numbers beside arrays of integers, with whose dtype it computes: only what that holds, since
the rest would wrap.
"""
struct Limits
    op::Symbol
    dtype::DataType  # Nothing: it computes in floats, or asks for zero and other than zero alone
    low::Int64
    high::UInt64
end

const NO_LIMITS = Limits(:none, Nothing, 0, 0)

function limits(op::OpInfo, ins::Tuple, values::Tuple)
    has_numbers(ins) && op.category !== :logical || return NO_LIMITS
    T = computed_type(op, ins, values)
    category(T) == 2 ? Limits(op.name, T, typemin(T), typemax(T)) : NO_LIMITS
end

computed_type(op::OpInfo{rule}, ins, values) where {rule} =
    by_rule(Val(rule === :bool ? :promoted : rule), promoted_type(op, ins), values)

has_numbers(::Tuple{}) = false
has_numbers(ins::Tuple) = ins[1] isa Single || has_numbers(Base.tail(ins))

"The operands with their numbers checked."
fitted(l::Limits, ins::Tuple) = has_numbers(ins) && l.dtype !== Nothing ? fitted(l, 0, ins) : ins
fitted(l::Limits, i, ::Tuple{}) = ()
fitted(l::Limits, i, ins::Tuple) = (fitted_one(l, i, ins[1]), fitted(l, i + 1, Base.tail(ins))...)

fitted_one(l::Limits, i, x) = x
function fitted_one(l::Limits, i, x::Single)
    v = x.value
    isinteger(v) && l.low <= v <= l.high && return x
    # A bound that the type does not hold is its nearest value, as the attribute is.
    l.op === :clamp && i > 0 ? cut(l, v) : not_held(l, i, v)
end

cut(l::Limits, v::T) where {T} = Single(v < l.low ? T(l.low) : T(l.high))

@noinline function not_held(l::Limits, i, v)
    what = "TileOps.$(l.op): inputs[$i]: $(find_operator(l.op).inputs[i + 1].name)"
    isinteger(v) ? invalid("$what is out of range for $(l.dtype) (got $v, need $(l.low) to $(l.high))") :
        invalid("$what must be an integer for $(l.dtype) (got $v)")
end
