# Attributes: keyword arguments in Julia, tagged 16-byte values for the library.

const ATTR_F64 = Int32(1)
const ATTR_I64 = Int32(2)

function wrong_value(a::Attribute, value, need)
    invalid("TileOps: attrs: '$(a.name)' has no such value (got $(repr(value)), need $need)")
end

# An axis is a dimension of the Julia array, from 1; the library counts the reversed ones from 0.
function encode(a::Attribute, value, ndims::Int)
    if a.kind === :choice
        value isa Union{Symbol,AbstractString} || wrong_value(a, value, choices_text(a))
        index = findfirst(isequal(Symbol(value)), a.choices)
        index === nothing && wrong_value(a, value, choices_text(a))
        return CAttr(a.key, ATTR_I64, index - 1)
    elseif a.kind === :axis
        value isa Integer && 1 <= value <= ndims || wrong_value(a, value, "a dimension, 1 to $ndims")
        return CAttr(a.key, ATTR_I64, ndims - value)
    end
    value isa Real || wrong_value(a, value, a.kind === :int ? "an integer" : "a number")
    if value isa Integer
        is_seed(a.name) && value isa UInt64 && return CAttr(a.key, ATTR_I64, value)
        typemin(Int64) <= value <= typemax(Int64) && return CAttr(a.key, ATTR_I64, reinterpret(UInt64, Int64(value)))
        a.kind === :int && wrong_value(a, value, "a number of 64 bits")
    end
    CAttr(a.key, ATTR_F64, reinterpret(UInt64, Float64(value)))
end

# 64 bits, of whichever sign.
is_seed(name::Symbol) = name === :seed || name === :offset

choices_text(a::Attribute) = join(map(c -> ":$c", a.choices), " or ")

# `values` in the order of the operator's table. What equals the default is left out, so that a call
# may give an operand in place of an attribute that has one.
function encode_all(op::OpInfo, values::Tuple, ndims::Int)
    all_default(1, op.attributes, values) && return NO_ATTRIBUTES
    attrs = CAttr[]
    encode_from(1, attrs, op.attributes, values, ndims)
    attrs
end

const NO_ATTRIBUTES = CAttr[]  # shared, never written to

all_default(i, table, ::Tuple{}) = true
all_default(i, table, values::Tuple) =
    (values[1] === nothing || is_default(table[i], values[1])) && all_default(i + 1, table, Base.tail(values))

# Recursion, for each value to be of known type.
encode_from(i, attrs, table, ::Tuple{}, ndims) = nothing
@inline function encode_from(i, attrs, table, values::Tuple, ndims)
    value = values[1]
    if value !== nothing && !is_default(table[i], value)
        push!(attrs, encode(table[i], value, ndims))
    end
    encode_from(i + 1, attrs, table, Base.tail(values), ndims)
end

is_default(a::Attribute, value) = value === a.default

# From keyword arguments of any order.
@generated function values_of(op::OpInfo{<:Any,<:Any,<:Any,names}, given::NamedTuple{keys}) where {names,keys}
    for name in keys
        name in names || return :(unknown_attribute(op, $(QuoteNode(name))))
    end
    Expr(:tuple, (name in keys ? :(given.$name) : nothing for name in names)...)
end

@noinline unknown_attribute(op, name) =
    invalid("TileOps: attrs: '$name' is no attribute of $(op.name) (it has $(attribute_names(op)))")

attribute_names(op::OpInfo) = isempty(op.attributes) ? "none" : join((a.name for a in op.attributes), ", ")

# The dimensions that an axis refers to are those of the first operand.
axis_ndims(outputs::Tuple, inputs::Tuple) =
    !isempty(inputs) && inputs[1] !== nothing ? ndims(inputs[1]) : ndims(outputs[1])
