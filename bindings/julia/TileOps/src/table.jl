# What the generated table of operators is made of.

struct Operand
    name::Symbol
    optional::Bool
    promoted::Bool  # takes part in the promotion of dtypes
end

struct Attribute
    key::Int32
    kind::Symbol  # :float, :int, :choice or :axis
    name::Symbol
    default::Any  # nothing: absent unless given
    choices::Tuple{Vararg{Symbol}}
    doc::String
end

"""
    TileOps.OpInfo

What an operator is: `name`, `category`, `doc`, `inputs`, `outputs` and `attributes`. `TileOps.operators()` lists all.
"""
struct OpInfo{result,size,promoted,attribute_names}
    id::Int32
    name::Symbol
    category::Symbol
    doc::String
    inputs::Vector{Operand}
    outputs::Vector{Operand}
    attributes::Vector{Attribute}
end

# What the type of a result depends on is part of the operator's type, for the compiler to know it:
#   result    dtype of the first output where the caller names none: :promoted, :float (promoted,
#             integers and Bool as Float32), :quotient (:float, but :promoted with a rounding), :bool, :source
#   size      its size: :broadcast, :first (of the first input), :gated (half of it, with one input), :given;
#             :function (as :broadcast) of those that only expressions have
#   promoted  for each input, whether it takes part in the promotion
# as are the names of its attributes, for keywords to be sorted when a call is compiled.
function OpInfo(id, name, category, doc, result, size, inputs, outputs, attributes)
    promoted = ((operand.promoted for operand in inputs)...,)
    OpInfo{result,size,promoted,((a.name for a in attributes)...,)}(id, name, category, doc, inputs, outputs, attributes)
end

Base.getproperty(op::OpInfo{result,size}, name::Symbol) where {result,size} =
    name === :result ? result : name === :size ? size : getfield(op, name)

Base.show(io::IO, op::OpInfo) = print(io, "TileOps.OpInfo(:", op.name, ")")

"""
    TileOps.operators()

All operators, as [`OpInfo`](@ref)s in the order of the C library's table.

```jldoctest
julia> [op.name for op in TileOps.operators() if op.category === :logical]
3-element Vector{Symbol}:
 :logical_and
 :logical_or
 :logical_not
```
"""
operators() = copy(OPERATORS)

const BY_NAME = Dict{Symbol,OpInfo}()

find_operator(op::OpInfo) = op
function find_operator(name::Union{Symbol,AbstractString})
    op = get(BY_NAME, Symbol(name), nothing)
    op === nothing && invalid("TileOps: op: there is no operator of this name (got $name)")
    op
end
