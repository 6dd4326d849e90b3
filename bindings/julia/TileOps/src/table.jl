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
struct OpInfo
    id::Int32
    name::Symbol
    category::Symbol
    doc::String
    # Dtype of the first output where the caller names none: :promoted, :float (promoted, integers
    # and Bool as Float32), :quotient (:float, but :promoted with a rounding), :bool, :source
    result::Symbol
    # Its size: :broadcast, :first (of the first input), :gated (half of it, with one input), :given
    size::Symbol
    inputs::Vector{Operand}
    outputs::Vector{Operand}
    attributes::Vector{Attribute}
end

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
