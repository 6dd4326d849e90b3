# Dotted expressions with functions of the library: f.(x), y .= f.(x) .* z .+ 1. All that the library has in them, its
# own functions and those of Base in base_functions.jl, is one kernel; other functions are Julia's, of its result.

using Base.Broadcast: AbstractArrayStyle, Broadcasted, DefaultArrayStyle, broadcasted, materialize, materialize!

struct TileOpsStyle <: AbstractArrayStyle{Any} end

function Broadcast.broadcasted(::DefaultArrayStyle{N}, f::Attributed, args...) where {N}
    N == 0 ? Broadcasted{DefaultArrayStyle{0}}(f, args) : Broadcasted{TileOpsStyle}(f, args)
end
Broadcast.broadcasted(::TileOpsStyle, f::Attributed, args...) = Broadcasted{TileOpsStyle}(f, args)
Broadcast.broadcasted(::TileOpsStyle, ::Type{T}, x) where {T<:AbstractFloat} =
    is_dtype(T) ? Broadcasted{TileOpsStyle}(Convert{T}(), (x,)) : Broadcasted{TileOpsStyle}(T, (x,))

const Lazy = Broadcasted{TileOpsStyle}
const NumbersAlone = Broadcasted{DefaultArrayStyle{0}}

# Called on numbers alone, where there is no array to dot over.
(f::Attributed)(numbers...) = is_function(f.op) ? elementwise(f, numbers...) :
    apply(f.op, numbers, values_of(f.op, f.given); dtype=f.dtype)

is_function(::OpInfo) = false
is_function(::OpInfo{result,:function}) where {result} = true

# A function that only expressions have, called without dots.
function elementwise(f::Attributed, args...)
    any(x -> x isa AbstractArray && ndims(x) > 0, args) && return materialize(broadcasted(f, args...))
    evaluate(tree_of(f, map(x -> x isa Real ? operand(x) : leaf(x), args)))[]
end

# ------------------------------------------------------------------ trees ------------------

# A tree, or, where the library has no such function, an array that Julia has computed.
# The code is that of the whole expression at once: the compiler gives up on types that come of deep recursion.
@generated tree(bc::Lazy) = Expr(:block, Expr(:meta, :inline), tree_code(bc, :bc))

function tree_code(::Type{B}, bc) where {B<:Broadcasted}
    types = B.parameters[4].parameters
    args = [is_inner(T) ? tree_code(T, :($bc.args[$i])) : :(leaf($bc.args[$i])) for (i, T) in enumerate(types)]
    :(tree_of($bc.f, ($(args...),)))
end

"Is that a broadcast type of a function that the library has?"
is_inner(::Type) = false
is_inner(::Type{<:NumbersAlone}) = false
is_inner(::Type{<:Broadcasted{<:AbstractArrayStyle,<:Any,F,Args}}) where {F,Args} =
    is_known_type(F, length(Args.parameters))

is_known_type(::Type{<:Attributed}, n) = true
is_known_type(::Type{<:Convert}, n) = true
is_known_type(::Type{F}, n) where {F} = isdefined(F, :instance) && is_known(F.instance, Val(n))

tree_of(f, args::Tuple) = or_computed(lower_call(f, args), f, args)
tree_of(f::Attributed{name}, args::Tuple) where {name} =
    or_computed(converted(f, call_of(Val(name), f.op, map(checked, args), f.given)), f, args)

or_computed(t, f, args) = t
or_computed(::Nothing, f, args) = materialize(broadcasted(f, map(evaluate, args)...))
or_computed(::Nothing, f::Attributed, args) = f(map(evaluate, args)...)

converted(f::Attributed, t) = t
converted(::Attributed{name,O,G,Type{T}}, t::Call) where {name,O<:OpInfo,G<:NamedTuple,T} = cast_to(T, t)

# A cast is to the type that is asked for.
tree_of(f::Attributed{:cast,O,G,Type{T}}, args::Tuple{Any}) where {O<:OpInfo,G<:NamedTuple,T} =
    or_computed(tensor(checked(args[1])) === nothing ? nothing : node(Val(:cast), T, args, f.given), f, args)

checked(x) = no_operand(x)
checked(x::Union{Nothing,Call}) = x
checked(x::Real) = (datatype(typeof(x)); x)
checked(x::Union{AbstractArray,Single}) = (datatype(eltype(x)); x)

# Arguments as leaves: arrays with memory to borrow, numbers of the library's types, calls; what has none is computed.
leaf(x) = x
leaf(x::Real) = number(x)
leaf(x::Ref) = leaf(x[])
leaf(x::AbstractArray) = borrowable(x) ? x : collect(x)
leaf(x::Tuple) = collect(promote(x...))
leaf(x::NumbersAlone) = leaf(materialize(x))
leaf(x::Broadcasted) = leaf(materialize(plain(x)))

leaves(::Tuple{}) = ()
leaves(args::Tuple) = (leaf(args[1]), leaves(Base.tail(args))...)

borrowable(A::AbstractArray) = false
borrowable(A::StridedArray) = true
borrowable(A::Union{PermutedDimsArray,Transpose,Adjoint{<:Real}}) = borrowable(parent(A))

# The expression with what the library has in it carried out, for Julia to do the rest.
plain(x) = x
plain(bc::Lazy) = is_mine(bc) ? copy(bc) : broadcasted(bc.f, map(plain, bc.args)...)

is_mine(bc::Lazy) = is_known(bc.f, Val(length(bc.args)))

# ------------------------------------------------------------------ results ----------------

# An operator alone is called as such, with its attributes as they are.
is_alone(bc::Broadcasted) = bc.f isa Attributed && !is_function(bc.f.op) && !any_inner(bc.args)
any_inner(::Tuple{}) = false
any_inner(args::Tuple) = is_inner(typeof(args[1])) || any_inner(Base.tail(args))

@inline function Base.copy(bc::Lazy)
    is_mine(bc) || return materialize(plain(bc))
    is_alone(bc) ? bc.f(leaves(bc.args)...) : evaluate(tree(bc))
end

# All of it is inlined: an object of a tree with several views in it would lie on the heap.
evaluate(x) = x
@inline function evaluate(t::Call{name,T,N}) where {name,T,N}
    fits(t) || return evaluate(in_parts(t))
    arrays = arrays_in(t)
    model = first_with_dimensions(arrays)
    run_tree!(allocate(model === nothing ? model_array(arrays) : model, T, broadcast_size(arrays)), t)
end

# Beyond the library's limits the calls in it are carried out first.
in_parts(t::Call{name,T,N}) where {name,T,N} = with_arguments(t, map(evaluate, t.args))

@inline function Base.copyto!(dest::AbstractArray, bc::Lazy)
    is_mine(bc) || return materialize!(dest, plain(bc))
    is_alone(bc) ? write_alone!(dest, bc.f, leaves(bc.args)) : write_tree!(dest, tree(bc))
end

@inline function write_alone!(dest, f::Attributed, args::Tuple)
    values = values_of(f.op, f.given)
    ins = operands(f.op, args, values)
    T = f.dtype === nothing ? result_type(f.op, ins, values, nothing) : f.dtype
    exact = f.dtype === nothing || eltype(dest) === T  # what is asked for is rounded to
    exact && can_write(dest, T, result_size(f.op, ins), ins) || return materialize!(dest, broadcasted(identity, f(args...)))
    run_operator!(f.op, (output(dest),), ins, values, stream_pointer(nothing, (dest,)))
    dest
end

write_tree!(dest, x) = materialize!(dest, broadcasted(identity, x))
@inline function write_tree!(dest, t::Call{name,T}) where {name,T}
    arrays = arrays_in(t)
    fits(t) && can_write(dest, T, broadcast_size(arrays), arrays) ? run_tree!(dest, t) :
        materialize!(dest, broadcasted(identity, evaluate(t)))
end

# Only where the kernel does what Julia would: the result's own size, an element type that takes every value of the
# result's, and no operand that overlaps the destination in another way than being it.
can_write(dest, ::Type{T}, dims, ins) where {T} =
    borrowable(dest) && dims == size(dest) && takes_all(eltype(dest), T) && all_apart(dest, ins)

all_apart(dest, ::Tuple{}) = true
all_apart(dest, ins::Tuple) =
    (apart(dest, ins[1]) || same_memory(dest, ins[1])) && all_apart(dest, Base.tail(ins))

takes_all(::Type{D}, ::Type{T}) where {D,T} = D === T || is_dtype(D) && takes_category(D, T)
takes_category(::Type{Float8_E8M0FNU}, ::Type{T}) where {T} = false
takes_category(::Type{Float4_E2M1FN_x2}, ::Type{T}) where {T} = false
takes_category(::Type{D}, ::Type{T}) where {D,T} =
    category(D) == 3 || category(T) == 1 ||
    category(D) == 2 && category(T) == 2 && typemin(D) <= typemin(T) && typemax(T) <= typemax(D)

same_memory(a, b) = address(a) == address(b) && size(a) == size(b) && steps(a) == steps(b) &&
    sizeof(eltype(a)) == sizeof(eltype(b))

# From the first to the last byte.
function extent(A)
    sizes, distances = size(A), steps(A)
    low, high = 0, 0
    for d in 1:ndims(A)
        sizes[d] == 0 && return UInt(0), UInt(0)
        reach = (sizes[d] - 1) * distances[d]
        low, high = low + min(0, reach), high + max(0, reach)
    end
    start = UInt(address(A))
    start + low * sizeof(eltype(A)), start + (high + 1) * sizeof(eltype(A))
end

apart(a, ::Union{Nothing,Single}) = true
function apart(a, b)
    (first_a, end_a), (first_b, end_b) = extent(a), extent(b)
    end_a <= first_b || end_b <= first_a
end
