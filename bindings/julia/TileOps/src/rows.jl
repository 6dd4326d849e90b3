# Functions along dimensions. Each call is of an expression of that function alone, which is kept by what is said of it.

# The library counts axes from the end: Julia's first dimension is its last axis, -1.
first_dims(group) = 1
first_dims(::Tuple{Any,Any}) = (1, 2)

along(name::Val, inputs::Tuple, dims, group, given::NamedTuple; context=nothing) =
    call(expression_along(name, inputs, dims, group, given), inputs...; context=context)
along!(name::Val, outputs, inputs::Tuple, dims, group, given::NamedTuple; context=nothing, stream=nothing) =
    call!(expression_along(name, inputs, dims, group, given), outputs, inputs...; context=context, stream=stream)

function expression_along(name::Val, inputs::Tuple, dims, group, given::NamedTuple)
    check_indices(name, inputs)
    key = (whole(name, "dims", dims), whole(name, "group", group), values(map(v -> whole(name, "attribute", v), given)))
    recent = rows_of(name, Val(length(inputs)), key)
    e = find(recent, key)
    e === nothing ? remember(recent, key, Expression(text_along(name, length(inputs), key[1], key[2], given))) : e
end

check_indices(name, inputs) = nothing
check_indices(name::Union{Val{:gather},Val{:scatter},Val{:scatter_add}}, inputs) = foreach(i -> check_index(name, eltype(i)), Base.tail(inputs))
check_index(name, ::Type{<:Integer}) = nothing
check_index(name, T) = no_indices(name, T)
check_index(name, ::Type{Bool}) = no_indices(name, Bool)
@noinline no_indices(::Val{name}, T) where {name} = invalid("TileOps.$name: indices: are no integers (got $T)")

# One for each function and type of what is said of it.
@generated rows_of(::Val{name}, ::Val{count}, ::K) where {name,count,K} = Recent{K,Expression}()

# Numbers of one type, so that equal calls are one.
whole(name, what, x::Union{Nothing,Colon,Bool}) = x
whole(name, what, x::Integer) = typemin(Int) <= x <= typemax(Int) ? Int(x) : wrong_row(name, what, x)
whole(name, what, x::Tuple{Vararg{Integer}}) = map(n -> whole(name, what, n), x)
whole(name, what, x) = wrong_row(name, what, x)

@noinline wrong_row(::Val{name}, what, x) where {name} =
    invalid("TileOps.$name: $what: is no integer" * (what == "dims" ? ", no tuple of them and not :" : "") * " (got $(repr(x)))")

# Indices count from 1 here and from 0 there; one of 0 or below is outside in both.
function text_along(::Val{name}, count, dims, group, given::NamedTuple) where {name}
    order = order_of(name, dims)
    operands = ["x$i" for i in 0:count-1]
    values = copy(operands)
    if name in (:gather, :scatter, :scatter_add)
        count - 1 == length(order) ||
            invalid("TileOps.$name: dims: are not as many as indices (got $(length(order)) for $(count - 1))")
        values[2:end] = ["cast($(operands[1 + i]), i64) - 1" for i in order]
    end
    dims === nothing || push!(values, "axis = " * axes_text(dims, order))
    group === nothing || push!(values, "group = " * group_text(name, group, order))
    for (key, value) in pairs(given)
        value === nothing || push!(values, "$key = $value")
    end
    result = "$name($(join(values, ", ")))"
    "($(join(operands, ", "))) -> " * (name in (:argmax, :argmin) ? result * " + 1" : result)
end

# Which place each axis of the library's order, the highest dimension first, has in `dims`.
order_of(name, ::Union{Nothing,Colon}) = [1]
order_of(name, dims::Int) = order_of(name, (dims,))
function order_of(name, dims::Tuple)
    isempty(dims) && invalid("TileOps.$name: dims: are none (need one, or :)")
    for d in dims
        1 <= d <= 32 || invalid("TileOps.$name: dims: is out of range (got $d, need 1 to 32)")
        count(isequal(d), dims) == 1 || invalid("TileOps.$name: dims: $d is given twice")
    end
    sortperm(collect(dims); rev=true)
end

list_text(numbers) = length(numbers) == 1 ? string(numbers[1]) : "($(join(numbers, ", ")))"

axes_text(::Colon, order) = "all"
axes_text(dims, order) = list_text([-dims[i] for i in order])

function group_text(name, group, order)
    length(group) == length(order) ||
        invalid("TileOps.$name: group: has not as many numbers as there are dims (got $(length(group)) for $(length(order)))")
    list_text([group[i] for i in order])
end
