# A dotted expression as a tree of the library's functions. What the tree computes, and the element type of its
# result, is all in its type: one expression of the library serves all values of that type.

"An operator with its attributes, as it stands in a dotted expression."
struct Attributed{name,O<:OpInfo,G<:NamedTuple,D}
    op::O
    given::G
    dtype::D
end

# The type has the names of the attributes and the kinds of their values, not the values.
Attributed(::Val{name}, op::O; dtype=nothing, attributes...) where {name,O<:OpInfo} =
    attributed(Val(name), op, attributes.data, dtype)

attributed(::Val{name}, op::O, given::G, ::Nothing) where {name,O,G} = Attributed{name,O,G,Nothing}(op, given, nothing)
function attributed(::Val{name}, op::O, given::G, ::Type{T}) where {name,O,G,T}
    datatype(T)
    Attributed{name,O,G,Type{T}}(op, given, T)
end

"""
A function of the library with its arguments: other calls, arrays, numbers, or nothing.

- `T`: element type of the result
- `N`: 0 if all arrays in it are of no dimensions, else 1
- `given`: attributes. Floats, seeds and offsets are scalars of the expression; the rest is part of its text
"""
struct Call{name,T,N,A<:Tuple,G<:NamedTuple}
    args::A
    given::G
end

Base.eltype(::Call{name,T}) where {name,T} = T
Base.eltype(::Type{<:Call{name,T}}) where {name,T} = T
rank(::Type{<:Call{name,T,N}}) where {name,T,N} = N

# ------------------------------------------------------------------ element types ----------

# For the rules of promotion, which are those of single operators: tensors without numbers, which take the type of
# tensors beside them.
const Tensor = Union{AbstractArray,Single,Call}
tensor(x::Tensor) = x
tensor(x) = nothing

# Scales have the type of the floats beside them.
is_scale(x) = false
is_scale(x::Tensor) = eltype(x) === Float8_E8M0FNU
scale_aside(x) = is_scale(x) ? nothing : x

function tensors_type(op::OpInfo{rule}, args::Tuple) where {rule}
    rule === :source && return promoted_type(op, map(tensor, args))
    T = promoted_type(op, map(scale_aside, map(tensor, args)))
    category(T) < 3 && has_scales(args) ? Float32 : T
end

has_scales(::Tuple{}) = false
has_scales(args::Tuple) = is_scale(args[1]) || has_scales(Base.tail(args))

# The category that a number beside these may have without a word in the result's type.
function highest(op::OpInfo{rule,size,promoted}, args::Tuple) where {rule,size,promoted}
    any_promoted(promoted, args) ? category(tensors_type(op, args)) : 0
end

any_promoted(promoted::Tuple, ::Tuple{}) = false
any_promoted(::Tuple{}, args::Tuple{Any,Vararg{Any}}) = false
any_promoted(promoted::Tuple, args::Tuple) =
    promoted[1] && tensor(args[1]) !== nothing ? true : any_promoted(Base.tail(promoted), Base.tail(args))

# Numbers become scalars of the expression where their type has no say; else they are operands of no dimensions,
# with a type, as beside a single operator.
@generated settle(::Val{promoted}, args::Tuple, limit::Val) where {promoted} =
    Expr(:tuple, (:(settled(Val($(i > length(promoted) || promoted[i])), args[$i], limit))
                  for i in 1:length(args.parameters))...)

settled(promoted::Val, x, limit::Val) = x
settled(::Val{promoted}, x::Bool, ::Val{limit}) where {promoted,limit} = promoted && limit > 1 ? Int(x) : Single(x)
settled(::Val{promoted}, x::Real, ::Val{limit}) where {promoted,limit} =
    !promoted || category(typeof(x)) <= limit ? x : Single(x)

any_dimensions(::Tuple{}) = 0
any_dimensions(args::Tuple) = max(dimensions(args[1]), any_dimensions(Base.tail(args)))
dimensions(x) = 0
dimensions(x::Tensor) = min(rank(typeof(x)), 1)

given_rounding(given::NamedTuple{names}) where {names} = :rounding in names ? (given.rounding,) : ()
is_rounding(::Val{r}) where {r} = is_rounding(r)

# Nothing where the element type depends on the value of an attribute.
result_element(op::OpInfo{rule}, args::Tuple, given) where {rule} =
    rule === :bool ? Bool : element_by_rule(Val(rule), tensors_type(op, args), given_rounding(given))

element_by_rule(rule::Val, ::Type{T}, rounding) where {T} = by_rule(rule, T, rounding)
element_by_rule(rule::Val{:quotient}, ::Type{T}, rounding::Tuple{Union{Symbol,AbstractString}}) where {T} =
    category(T) == 3 ? T : nothing

# ------------------------------------------------------------------ calls ------------------

node(::Val{name}, ::Type{T}, args::A, given::G) where {name,T,A,G} =
    Call{name,T,any_dimensions(args),A,G}(args, given)
node(::Val, ::Nothing, args, given) = nothing

# The call of an operator, or nothing where the type of its result is not known.
function call_of(name::Val, op::OpInfo{rule,size,promoted}, args::Tuple,
                 given::NamedTuple=NamedTuple()) where {rule,size,promoted}
    settled = settle(Val(promoted), args, Val(highest(op, args)))
    node(name, result_element(op, settled, given), settled, given)
end

cast_to(::Type{T}, x, given::NamedTuple=NamedTuple()) where {T} = eltype(x) === T ? x : node(Val(:cast), T, (x,), given)

# What the values of a call's attributes are.
is_scalar(name::Symbol, x) = false
is_scalar(name::Symbol, x::Union{AbstractFloat,Rational,AbstractIrrational}) = true
is_scalar(name::Symbol, x::Integer) = is_seed(name)
signed_seed(x) = x
signed_seed(x::UInt64) = reinterpret(Int64, x)

# ------------------------------------------------------------------ leaves -----------------

# In the order of the text: the arguments from left to right, then attributes.
arrays_in(x) = ()
arrays_in(x::Union{AbstractArray,Single}) = (x,)
arrays_in(x::Call) = arrays_of(x.args)
arrays_of(::Tuple{}) = ()
arrays_of(args::Tuple) = (arrays_in(args[1])..., arrays_of(Base.tail(args))...)

numbers_in(x) = ()
numbers_in(x::Real) = (x,)
numbers_in(x::Call) = (numbers_of(x.args)..., scalars_given(x.given)...)
numbers_of(::Tuple{}) = ()
numbers_of(args::Tuple) = (numbers_in(args[1])..., numbers_of(Base.tail(args))...)

scalars_given(::NamedTuple{()}) = ()
scalars_given(given::NamedTuple{names}) where {names} =
    (when(is_scalar(names[1], given[1]), signed_seed(given[1]))..., scalars_given(Base.tail(given))...)

# What the text has beyond the types.
constants_in(x) = ()
constants_in(x::Call) = (constants_of(x.args)..., constants_given(x.given)...)
constants_of(::Tuple{}) = ()
constants_of(args::Tuple) = (constants_in(args[1])..., constants_of(Base.tail(args))...)

constants_given(::NamedTuple{()}) = ()
constants_given(given::NamedTuple{names}) where {names} =
    (when(!is_scalar(names[1], given[1]) && !(given[1] isa Val), constant(given[1]))...,
     constants_given(Base.tail(given))...)
when(condition, x) = condition ? (x,) : ()
constant(x) = x
constant(x::AbstractString) = Symbol(x)

"Where an array is in a tree."
struct Place end
without_arrays(x) = x
without_arrays(::Union{AbstractArray,Single}) = Place()
without_arrays(t::Call) = with_arguments(t, map(without_arrays, t.args))
with_arguments(t::Call{name,T,N,A,G}, args::B) where {name,T,N,A,G,B} = Call{name,T,N,B,G}(args, t.given)

num_calls(x) = 0
num_calls(x::Call) = 1 + num_calls_of(x.args)
num_calls_of(::Tuple{}) = 0
num_calls_of(args::Tuple) = num_calls(args[1]) + num_calls_of(Base.tail(args))

# The library's limits.
fits(t::Call) = length(arrays_in(t)) <= 32 && length(numbers_in(t)) <= 32 && num_calls(t) <= 100

# ------------------------------------------------------------------ text -------------------

mutable struct Writer
    operands::Vector{Int}  # for each array of the tree, which operand it is
    arrays::Int
    scalars::Vector{Bool}  # is it a float?
end

function argument_text(w::Writer, ::Place)
    w.arrays += 1
    "x$(w.operands[w.arrays])"
end
function argument_text(w::Writer, x::Real)
    push!(w.scalars, !(x isa Integer))
    "s$(length(w.scalars))"
end
function argument_text(w::Writer, t::Call{name,T}) where {name,T}
    parts, op, absent = String[], function_info(name), false
    for (i, x) in enumerate(t.args)
        if x === nothing
            absent = true
        else
            text = argument_text(w, x)
            push!(parts, absent && i <= length(op.inputs) ? "$(op.inputs[i].name) = $text" : text)
        end
    end
    name === :cast && push!(parts, "dtype = " * dtype_name(T))
    for (key, value) in pairs(t.given)
        value === nothing && continue
        any(a -> a.name === key, op.attributes) ||
            invalid("TileOps: attrs: '$key' is no attribute of $name (it has $(attribute_names(op)))")
        push!(parts, "$key = " * (is_scalar(key, value) ? argument_text(w, value) : constant_text(value)))
    end
    "$name($(join(parts, ", ")))"
end

constant_text(x) = string(x)
constant_text(::Val{x}) where {x} = string(x)
constant_text(x::Bool) = string(Int(x))

function function_info(name::Symbol)
    index = findfirst(f -> f.name === name, FUNCTIONS)
    index === nothing ? find_operator(name) : FUNCTIONS[index]
end

# The text of a tree without its arrays; `operands`: for each array, which operand of the expression it is.
function text_of(t::Call, operands)
    w = Writer(collect(Int, operands), 0, Bool[])
    body = argument_text(w, t)
    names = ["x$i" for i in 1:maximum(w.operands)]
    scalars = ["s$i = $(float ? "0.0" : "0")" for (i, float) in enumerate(w.scalars)]
    "($(join(names, ", "))$(isempty(scalars) ? "" : "; " * join(scalars, ", "))) -> $body"
end
