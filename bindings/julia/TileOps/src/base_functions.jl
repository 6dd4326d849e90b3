# Functions of Base that a dotted expression may have beside the library's own, to be part of the same kernel.

"How many arguments, and which operator: `operator(f, Val(n))` is `(Val(name), op, rule)`, or nothing."
operator(f, n) = nothing

# Rules, for what Julia and the library see differently:
#   same     none
#   real     of integers and Bool in Float64
#   count    of Bool as Int
#   float    only of floats
#   integer  only of integers and Bool
#   bool     only of Bool
for (f, n, op, rule) in (
        (:+, 2, :add, :count), (:-, 2, :sub, :count), (:*, 2, :mul, :same), (:/, 2, :div, :real), (:^, 2, :pow, :count),
        (:-, 1, :neg, :count), (:mod, 2, :remainder, :same), (:fld, 2, :floor_divide, :same),
        (:max, 2, :maximum, :same),
        (:min, 2, :minimum, :same), (:abs, 1, :abs, :same), (:sign, 1, :sign, :same), (:inv, 1, :reciprocal, :real),
        (:floor, 1, :floor, :same), (:ceil, 1, :ceil, :same), (:trunc, 1, :trunc, :same), (:round, 1, :round, :same),
        (:exp, 1, :exp, :real), (:exp2, 1, :exp2, :real), (:expm1, 1, :expm1, :real), (:log, 1, :log, :real),
        (:log2, 1, :log2, :real), (:log1p, 1, :log1p, :real), (:sqrt, 1, :sqrt, :real), (:sin, 1, :sin, :real),
        (:cos, 1, :cos, :real), (:tan, 1, :tan, :real), (:asin, 1, :asin, :real), (:acos, 1, :acos, :real), (:atan, 1, :atan, :real),
        (:atan, 2, :atan2, :real), (:sinh, 1, :sinh, :real), (:cosh, 1, :cosh, :real), (:tanh, 1, :tanh, :real),
        (:asinh, 1, :asinh, :real), (:acosh, 1, :acosh, :real), (:atanh, 1, :atanh, :real), (:log10, 1, :log10, :real),
        (:cbrt, 1, :cbrt, :real), (:sinc, 1, :sinc, :real), (:hypot, 2, :hypot, :real), (:rem, 2, :fmod, :same),
        (:copysign, 2, :copysign, :float), (:fma, 3, :fma, :float), (:muladd, 3, :fma, :float),
        (:clamp, 3, :clamp, :same), (:ifelse, 3, :where, :same), (:(==), 2, :eq, :same), (:(!=), 2, :ne, :same),
        (:<, 2, :lt, :same), (:<=, 2, :le, :same), (:>, 2, :gt, :same), (:>=, 2, :ge, :same),
        (:&, 2, :bitwise_and, :integer), (:|, 2, :bitwise_or, :integer), (:xor, 2, :bitwise_xor, :integer), (:~, 1, :bitwise_not, :integer),
        (:!, 1, :logical_not, :bool), (:isnan, 1, :isnan, :same), (:isinf, 1, :isinf, :same),
        (:isfinite, 1, :isfinite, :same))
    @eval operator(::typeof(Base.$f), ::Val{$n}) =
        (Val($(QuoteNode(op))), $(constant_name(op)), Val($(QuoteNode(rule))))
end

# `@. a + b + c` has one call of three arguments.
const Folded = Union{typeof.((+, *, max, min, &, |, xor))...}

"`T.(x)` for a float type of the library."
struct Convert{T} end
(::Convert{T})(x) where {T} = T(x)

"Can a call of `f` with `n` arguments be part of the library's expression?"
is_known(f, n::Val) = operator(f, n) !== nothing
is_known(f::Folded, ::Val{n}) where {n} = n > 1 || f === (+) || operator(f, Val(n)) !== nothing
is_known(::Attributed, ::Val) = true
is_known(::Convert, ::Val{1}) = true
is_known(::Union{typeof(identity),typeof(abs2)}, ::Val{1}) = true
is_known(::typeof(div), ::Val{2}) = true
is_known(::typeof(Base.literal_pow), ::Val{3}) = true

# ------------------------------------------------------------------ calls ------------------

# The call that f(args...) is, an argument itself, or nothing where the library has no such function of these types.
lower_call(f, args::Tuple) = lower_by(operator(f, Val(length(args))), args)
lower_call(f::Folded, args::Tuple{Any,Any,Any,Vararg{Any}}) =
    lower_folded(f, lower_call(f, (args[1], args[2])), Base.tail(Base.tail(args)))
lower_call(::Union{typeof(identity),typeof(+)}, args::Tuple{Any}) = args[1]
lower_call(::Convert{T}, args::Tuple{Any}) where {T} = are_tensors(args) ? cast_to(T, args[1]) : nothing
lower_call(::typeof(abs2), args::Tuple{Any}) = are_tensors(args) ? square(args[1]) : nothing
lower_call(::typeof(div), args::Tuple{Any,Any}) =
    are_known(args) ? call_of(Val(:div), OP_DIV, args, (rounding=Val(:trunc),)) : nothing
lower_call(::typeof(Base.literal_pow), args::Tuple{typeof(^),Any,Val}) = lower_power(args[2], args[3])
lower_call(::typeof(Base.literal_pow), args::Tuple) = nothing

lower_folded(f, x, ::Tuple{}) = x
lower_folded(f, ::Nothing, rest::Tuple) = nothing
lower_folded(f, ::Nothing, ::Tuple{}) = nothing
lower_folded(f, x, rest::Tuple) = lower_folded(f, lower_call(f, (x, rest[1])), Base.tail(rest))

lower_by(::Nothing, args) = nothing
function lower_by((name, op, rule), args::Tuple)
    are_known(args) || return nothing
    op === OP_WHERE && !(element(args[1]) === Bool) && return nothing
    lower_rule(rule, name, op, args)
end

lower_rule(::Val{:same}, name, op, args) = call_of(name, op, args)
lower_rule(::Val{:real}, name, op, args) = call_of(name, op, top_category(args) < 3 ? map(as_float64, args) : args)
lower_rule(::Val{:count}, name, op, args) = call_of(name, op, top_category(args) < 2 ? map(as_int, args) : args)
lower_rule(::Val{:float}, name, op, args) = bottom_category(args) == 3 ? call_of(name, op, args) : nothing
lower_rule(::Val{:integer}, name, op, args) = top_category(args) < 3 ? call_of(name, op, args) : nothing
lower_rule(::Val{:bool}, name, op, args) = top_category(args) < 2 ? call_of(name, op, args) : nothing

square(x) = call_of(Val(:pow), OP_POW, (top_category((x,)) < 2 ? as_int(x) : x,), (exponent=Val(2),))
function lower_power(x, ::Val{p}) where {p}
    are_tensors((x,)) && p isa Integer || return nothing
    base = top_category((x,)) < 3 && p < 0 ? as_float64(x) : top_category((x,)) < 2 ? as_int(x) : x
    call_of(Val(:pow), OP_POW, (base,), (exponent=Val(p),))
end

as_float64(x) = x
as_float64(x::Tensor) = cast_to(Float64, x)
as_int(x) = x
as_int(x::Tensor) = cast_to(Int, x)

element(x) = typeof(x)
element(x::Tensor) = eltype(x)

are_known(::Tuple{}) = true
are_known(args::Tuple) = is_dtype(element(args[1])) && are_known(Base.tail(args))
are_tensors(args::Tuple) = are_known(args) && all_tensors(args)
all_tensors(::Tuple{}) = true
all_tensors(args::Tuple) = tensor(args[1]) !== nothing && all_tensors(Base.tail(args))

top_category(::Tuple{}) = 0
top_category(args::Tuple) = max(category(element(args[1])), top_category(Base.tail(args)))
bottom_category(::Tuple{}) = 3
bottom_category(args::Tuple) =  # of tensors alone: fma(x, 2, y) is of floats
    min(tensor(args[1]) === nothing ? 3 : category(element(args[1])), bottom_category(Base.tail(args)))
