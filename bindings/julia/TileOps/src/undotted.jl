# f.(x) of what takes arrays as wholes, such as TileOps.mean, is refused: Julia would call it with one element after the other, and
# each would be its own mean. Of arrays of arrays, or with an array in a Ref, that is what is meant: it is Julia's, as for any function.

using Base.Broadcast: BroadcastStyle

# What is called on all elements at once: an expression, which may have rows in it, or a function of OfArrays.
function broadcasted_whole(style::BroadcastStyle, f, args...)
    check_dots(f, args)
    Broadcasted{typeof(style)}(f, args)
end

function check_dots(f, args)
    any(is_taken_apart, args) && !any(may_hold_arrays, args) && refuse_dots(f)
    nothing
end

is_taken_apart(x) = false
is_taken_apart(x::Union{Tuple,Broadcasted}) = true
is_taken_apart(x::AbstractArray) = ndims(x) > 0

may_hold_arrays(x) = typeintersect(element_type(x), AbstractArray) !== Union{}
element_type(x) = eltype(x)
element_type(::Lazy) = Real
element_type(x::Broadcasted) = Broadcast.combine_eltypes(x.f, x.args)

@noinline refuse_dots(f) =
    invalid("TileOps.$(nameof(f)): inputs[0]: is taken apart by the dot (got TileOps.$(nameof(f)).(x), which is of each element alone; " *
            "need TileOps.$(nameof(f))(x), or TileOps.$(nameof(f))!(y, x))")
@noinline refuse_dots(::Expression) =
    invalid("Expression: inputs[0]: is taken apart by the dot (got e.(x), which is of each element alone; need e(x), or TileOps.call!(e, y, x))")

Broadcast.broadcasted(style::BroadcastStyle, e::Expression, args...) = broadcasted_whole(style, e, args...)
Broadcast.broadcasted_kwsyntax(e::Expression, args...; scalars...) = keywords_whole(e, args...; scalars...)

function keywords_whole(f, args...; given...)
    check_dots(f, map(Broadcast.broadcastable, args))
    broadcasted((x...) -> f(x...; given...), args...)
end
