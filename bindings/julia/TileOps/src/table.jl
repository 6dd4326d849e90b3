# What the generated table of operators is made of.

struct Operand
    name::Symbol
    optional::Bool
    promoted::Bool  # takes part in the promotion of dtypes
    dtypes::String  # that it may have, in short
    text::String  # dtypes and shape in the words of the C library
end

struct Attribute
    key::Int32
    kind::Symbol  # :float, :int, :choice or :axis
    name::Symbol
    default::Any  # nothing: absent unless given
    choices::Tuple{Vararg{Symbol}}
    doc::String
    values::String  # what it may be, in the words of the C library
end

# A row of the operator table, or of the functions that only expressions have. `result` and `size`: see below.
struct OpRow
    id::Int32
    name::Symbol
    category::Symbol
    doc::String
    result::Symbol
    size::Symbol
    inputs::Vector{Operand}
    outputs::Vector{Operand}
    attributes::Vector{Attribute}
    remarks::Vector{String}  # paragraphs of its long text, before those on operands and attributes
    rules::Vector{String}  # those behind: dtypes, accuracy, source
end

# A function along dimensions: what it is called with, and whether `dims` and `group` say where.
struct AlongRow
    name::Symbol
    kind::Symbol
    doc::String
    inputs::Vector{Any}  # names, the last one perhaps `i...`
    dims::Bool
    group::Bool
    attributes::Vector{Attribute}
end

include("generated/table.jl")

"""
    TileOps.OpInfo

What an operator is: `name`, `category`, `doc`, `inputs`, `outputs` and `attributes`. `TileOps.operators()` lists all.
"""
struct OpInfo{result,size,promoted,attribute_names}
    row::OpRow
end

# What the type of a result depends on is part of the operator's type, for the compiler to know it:
#   result    dtype of the first output where the caller names none: :promoted, :float (promoted,
#             integers and Bool as Float32), :quotient (:float, but :promoted with a rounding), :bool, :source
#   size      its size: :broadcast, :first (of the first input), :gated (half of it, with one input), :given;
#             :function (as :broadcast) of those that only expressions have
#   promoted  for each input, whether it takes part in the promotion
# as are the names of its attributes, for keywords to be sorted when a call is compiled.
OpInfo(row::OpRow) =
    OpInfo{row.result,row.size,(Bool[o.promoted for o in row.inputs]...,),(Symbol[a.name for a in row.attributes]...,)}(row)

Base.getproperty(op::OpInfo{result,size}, name::Symbol) where {result,size} =
    name === :result ? result : name === :size ? size : getfield(getfield(op, :row), name)
Base.propertynames(::OpInfo, private=false) = fieldnames(OpRow)

# OP_EXP and so on: the compiler knows what each one is.
constant_name(name) = Symbol("OP_", uppercase(String(name)))
for row in [OPERATOR_ROWS; FUNCTION_ROWS]
    @eval const $(constant_name(row.name)) = OpInfo($row)
end

const OPERATORS = OpInfo[getfield(Runtime, constant_name(row.name))::OpInfo for row in OPERATOR_ROWS]
const FUNCTIONS = OpInfo[getfield(Runtime, constant_name(row.name))::OpInfo for row in FUNCTION_ROWS]
const PLACES = Dict{Symbol,Int}(row.name => k for (k, row) in enumerate(OPERATOR_ROWS))  # in OPERATORS

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

find_operator(op::OpInfo) = op
function find_operator(name::Union{Symbol,AbstractString})
    k = get(PLACES, Symbol(name), 0)
    k == 0 && invalid("TileOps: op: there is no operator of this name (got $name)")
    OPERATORS[k]
end
