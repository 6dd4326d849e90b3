"""
    Expression(text)

Several operators at once, in one kernel and one pass over memory: operands, scalars after `;`, and one
result or several. The text is the same in every language that libtileops is called from; the C library's
docs/expressions.md has its grammar. Some have names: [`TileOps.named`](@ref).

It knows no sizes, no element types and no device. It is called, [`TileOps.call!`](@ref)ed, or prepared as
an operator is, with [`Plan`](@ref) and [`execute!`](@ref); the values of scalars are keywords.
`string(e)` is its canonical text, which is equal for expressions that mean the same by the same steps,
and only they are `==`. Throws [`TileOpsError`](@ref), whose `offset` is the place in the text.

```jldoctest
julia> e = Expression("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r")
Expression("(g, u, r; scale = 1.0) -> silu(g) * u * scale + r")

julia> e([0.0, 100.0], [1.0, 2.0], [5.0, 6.0]; scale=10)
2-element Vector{Float64}:
    5.0
 2006.0
```
"""
mutable struct Expression
    handle::Handle
    text::String
    operands::Vector{NamedTuple{(:name, :default),Tuple{Symbol,Union{Nothing,Bool,Int64,Float64}}}}
    scalars::Vector{NamedTuple{(:name, :default),Tuple{Symbol,Union{Nothing,Bool,Int64,Float64}}}}
    results::Vector{Symbol}
    num_nodes::Int
    num_host_nodes::Int

    Expression(::Val{:own}, handle::Handle, text, info::CExprInfo) = finalizer(release_expression,
        new(handle, text, fields(info.operands, info.num_operands), fields(info.scalars, info.num_scalars),
            [Symbol(unsafe_string(unsafe_load(info.results, i))) for i in 1:info.num_results],
            info.num_nodes, info.num_host_nodes))
end

Expression(text::AbstractString) = own_expression(parsed(String(text)))

function parsed(text::String)
    require_library()
    out = Ref{Ptr{Cvoid}}(C_NULL)
    check(ccall(LIB.tileops_expr_parse, Int32, (Ptr{UInt8}, Csize_t, Ref{Ptr{Cvoid}}), text, sizeof(text), out))
    out[]
end

function own_expression(p::Ptr{Cvoid})
    handle = Handle(p)
    info, size = sized_struct(CExprInfo), Ref{Csize_t}(0)
    check(ccall(LIB.tileops_expr_describe, Int32, (Ptr{Cvoid}, Ref{CExprInfo}), p, info))
    check(ccall(LIB.tileops_expr_text, Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ref{Csize_t}), p, C_NULL, size))
    text = Vector{UInt8}(undef, size[])
    check(ccall(LIB.tileops_expr_text, Int32, (Ptr{Cvoid}, Ptr{UInt8}, Ref{Csize_t}), p, text, size))
    Expression(Val(:own), handle, String(text[1:end-1]), info[])
end

"""
    TileOps.named(name)

The [`Expression`](@ref) that the library knows by this name, a `Symbol` or string;
[`TileOps.named_expressions`](@ref) lists them.

```jldoctest
julia> TileOps.named(:quick_gelu)
Expression("(x) -> x * sigmoid(1.702 * x)")
```
"""
function named(name::Union{Symbol,AbstractString})
    require_library()
    text = String(name)
    '\0' in text && invalid("TileOps.named: name: there is no expression of this name (got $(repr(text)))")
    out = Ref{Ptr{Cvoid}}(C_NULL)
    check(ccall(LIB.tileops_expr_named, Int32, (Cstring, Ref{Ptr{Cvoid}}), text, out))
    own_expression(out[])
end

"""
    TileOps.named_expressions()

The expressions that the library knows by name, what engines and trainers use and the gradients of activations:
for each its `name`, `text`, and one line about it, `doc`.

```jldoctest
julia> TileOps.named_expressions()[1].doc
"gated SiLU and the residual"
```
"""
function named_expressions()
    require_library()
    map(1:ccall(LIB.tileops_expr_named_count, Csize_t, ())) do i
        info = sized_struct(CNamedExprInfo)
        check(ccall(LIB.tileops_expr_named_at, Int32, (Csize_t, Ref{CNamedExprInfo}), i - 1, info))
        (name=Symbol(unsafe_string(info[].name)), text=unsafe_string(info[].text), doc=unsafe_string(info[].doc))
    end
end

fields(p::Ptr{CExprOperandInfo}, n) =
    [(name=Symbol(unsafe_string(o.name)), default=value_of(o.default)) for o in (unsafe_load(p, i) for i in 1:n)]

function value_of(n::CNumber)
    n.kind == NUMBER_DEFAULT && return nothing
    n.kind == NUMBER_F64 && return reinterpret(Float64, n.bits)
    n.kind == NUMBER_BOOL ? n.bits != 0 : reinterpret(Int64, n.bits)
end

noun(::Type{Expression}) = "expression"
destroy(::Type{Expression}, p::Ptr{Cvoid}) = ccall(LIB.tileops_expr_destroy, Cvoid, (Ptr{Cvoid},), p)
release_expression(e::Expression) = close_handle(e.handle, Expression)

Base.string(e::Expression) = e.text
Base.print(io::IO, e::Expression) = print(io, e.text)
Base.show(io::IO, e::Expression) = print(io, "Expression(", repr(e.text), ")")
Base.:(==)(a::Expression, b::Expression) = a.text == b.text
Base.hash(e::Expression, h::UInt) = hash(e.text, hash(Expression, h))

# A constant of a precompiled module, or what another process sends, is made anew of its text.
const RENEWAL = ReentrantLock()

function renew(e::Expression)
    lock(RENEWAL) do
        if stale(e.handle)
            e.handle = Handle(parsed(e.text))
            finalizer(release_expression, e)
        end
    end
end

Serialization.serialize(s::AbstractSerializer, e::Expression) =
    (Serialization.serialize_type(s, Expression); Serialization.serialize(s, e.text))
Serialization.deserialize(s::AbstractSerializer, ::Type{Expression}) = Expression(Serialization.deserialize(s))
Base.deepcopy_internal(e::Expression, ::IdDict) = e  # it never changes

# Calls f with the pointer, which it must not keep. Nobody closes an expression but its finalizer.
function with_pointer(f::F, e::Expression) where {F}
    require_library()
    stale(e.handle) && renew(e)
    GC.@preserve e f(Ptr{Cvoid}(e.handle.pointer[]))
end

"""
    TileOps.expression_info(e)

What an expression is, as a named tuple: `operands` and `scalars`, each with `name` and `default` (`nothing` for
an operand that may not be absent), the names of its `results`, how many functions it has for each element,
`num_nodes`, and for scalars alone, once an execute, `num_host_nodes`.

```jldoctest
julia> info = TileOps.expression_info(Expression("(x, w = 1; eps = 1e-6) -> x * w / (eps + 1)"));

julia> info.operands[2].name, info.operands[2].default, info.scalars[1].name, info.results
(:w, 1, :eps, [:y0])
```
"""
expression_info(e::Expression) = (operands=copy(e.operands), scalars=copy(e.scalars), results=copy(e.results),
                                  num_nodes=e.num_nodes, num_host_nodes=e.num_host_nodes)

"""
    TileOps.nodes(e)

What an expression is made of: named tuples with `kind` (`:operand`, `:scalar`, `:constant` or `:function`), `name` (of an operand, a
scalar or a function), `value` (of a constant), `arguments`, the places in the list of what a function takes (0: left out; values first, then
attributes), and `attributes` that are constants, by name. What a function takes stands before it, and results are those at
`TileOps.result_nodes(e)`.

```jldoctest
julia> [n.name for n in TileOps.nodes(Expression("(x) -> sum(silu(x))"))]
3-element Vector{Symbol}:
 :x
 :silu
 :sum
```
"""
nodes(e::Expression) = with_pointer(e) do p
    info = sized_struct(CExprInfo)
    check(ccall(LIB.tileops_expr_describe, Int32, (Ptr{Cvoid}, Ref{CExprInfo}), p, info))
    map(1:info[].num_listed_nodes) do i
        node = sized_struct(CNodeInfo)
        check(ccall(LIB.tileops_expr_node, Int32, (Ptr{Cvoid}, Int32, Ref{CNodeInfo}), p, i, node))
        node_of(e, node[])
    end
end

result_nodes(e::Expression) = with_pointer(e) do p
    [Int(ccall(LIB.tileops_expr_result, Int32, (Ptr{Cvoid}, Csize_t), p, i - 1)) for i in 1:length(e.results)]
end

function described(func)
    info = sized_struct(COpInfo)
    check(ccall(LIB.tileops_function_describe, Int32, (Int32, Ref{COpInfo}), func, info))
    info[]
end
function_name(func) = Symbol(unsafe_string(described(func).name))
function attribute_name(func, key)
    info = described(func)
    for a in (unsafe_load(info.attrs, i) for i in 1:info.num_attrs)
        a.key == key && return Symbol(unsafe_string(a.name))
    end
    :dtype  # of a cast, whose operator has it from its output
end

const NODE_KINDS = (:operand, :scalar, :constant, :function)

function node_of(e::Expression, n::CNodeInfo)
    kind = NODE_KINDS[n.kind]
    name = kind === :operand ? e.operands[n.index+1].name : kind === :scalar ? e.scalars[n.index+1].name :
        kind === :function ? function_name(n.func) : :constant
    attributes = Dict{Symbol,Union{Int64,Float64}}(attribute_name(n.func, a.key) => a.kind == NUMBER_F64 ?
        reinterpret(Float64, a.bits) : reinterpret(Int64, a.bits) for a in (unsafe_load(n.attrs, i) for i in 1:n.num_attrs))
    (kind=kind, name=name, value=kind === :constant ? value_of(n.value) : nothing,
     arguments=[Int(unsafe_load(n.arguments, i)) for i in 1:n.num_arguments], attributes=attributes)
end

"""
    TileOps.gradient(e, operands...)

The gradient of an expression with respect to some of its operands, by name; an expression itself. It takes what
`e` takes, then an operand `grad_r` for each result `r`, and gives `grad_x` for each operand `x`; names that are taken
get a number behind them, `grad_x_2`.

```jldoctest
julia> TileOps.gradient(Expression("(x, w) -> x * w"), :w)
Expression("(x, w, grad_y0) -> { grad_w = sum_to(grad_y0 * x, w); grad_w }")
```
"""
function gradient(e::Expression, names::Union{Symbol,AbstractString}...)
    wanted = Int32[operand_index(e, Symbol(name)) for name in names]
    out = Ref{Ptr{Cvoid}}(C_NULL)
    check(with_pointer(e) do p
        ccall(LIB.tileops_expr_gradient, Int32, (Ptr{Cvoid}, Ptr{Int32}, Csize_t, Ref{Ptr{Cvoid}}),
              p, wanted, length(wanted), out)
    end)
    own_expression(out[])
end

function operand_index(e::Expression, name::Symbol)
    index = findfirst(o -> o.name === name, e.operands)
    index === nothing && invalid("TileOps.gradient: operands: '$name' is none (it has $(names_text(e.operands)))")
    index - 1
end

names_text(list) = isempty(list) ? "none" : join((o.name for o in list), ", ")

# ------------------------------------------------------------------ scalars ----------------

c_number(x::Union{Float16,Float32,Float64,StoredFloat,Rational,AbstractIrrational,BigFloat}) =
    CNumber(NUMBER_F64, 0, reinterpret(UInt64, Float64(x)))
c_number(x::Int64) = CNumber(NUMBER_I64, 0, reinterpret(UInt64, x))
function c_number(x::Integer)
    typemin(Int64) <= x <= typemax(Int64) || invalid("TileOps: scalars: is beyond 64 bits (got $x)")
    c_number(Int64(x))
end
c_number(x::Real) = c_number(Float64(x))
c_number(x) = invalid("TileOps: scalars: is no real number (got $(repr(x)))")

# Most scalars of an expression take that many words of a frame.
const SCALAR_WORDS = 32 * sizeof(CNumber) ÷ WORD

# By name, in the order of the expression; those that are not given have their defaults. Returns how many there are.
@inline function write_scalars(values::Ptr{CNumber}, e::Expression, given::NamedTuple)
    n = length(e.scalars)
    for i in 1:n
        unsafe_store!(values, CNumber(NUMBER_DEFAULT, 0, 0), i)
    end
    write_given(values, e, given)
    n % UInt32
end

@inline write_given(values, e, ::NamedTuple{()}) = nothing
@inline function write_given(values, e, given::NamedTuple{names}) where {names}
    unsafe_store!(values, c_number(given[1]), scalar_index(e, names[1]))
    write_given(values, e, Base.tail(given))
end

function scalar_index(e::Expression, name::Symbol)
    for i in 1:length(e.scalars)
        e.scalars[i].name === name && return i
    end
    invalid("TileOps: scalars: '$name' is none of the expression (it has $(names_text(e.scalars)))")
end
