# Calls of operators without a plan object.

# ------------------------------------------------------------------ results ----------------

# All of this is decided by types alone, so that the compiler knows the type of a result.
result_type(op::OpInfo, ins::Tuple, values::Tuple, dtype) = (datatype(dtype); dtype)
result_type(op::OpInfo{rule}, ins::Tuple, values::Tuple, ::Nothing) where {rule} =
    rule === :bool ? Bool : by_rule(Val(rule), promoted_type(op, ins), values)

by_rule(::Val, ::Type{T}, values) where {T} = T
by_rule(::Val{:float}, ::Type{T}, values) where {T} = category(T) == 3 ? T : Float32
by_rule(::Val{:quotient}, ::Type{T}, values) where {T} = category(T) == 3 || any_rounding(values) ? T : Float32

any_rounding(::Tuple{}) = false
any_rounding(values::Tuple) = is_rounding(values[1]) || any_rounding(Base.tail(values))
is_rounding(::Union{Nothing,Number}) = false
is_rounding(value::Symbol) = value === :trunc || value === :floor
is_rounding(value) = value in ("trunc", "floor")

# Operands of no dimensions count only where their category is a higher one.
@generated function promoted_type(op::OpInfo{rule,size,promoted}, ins::Tuple) where {rule,size,promoted}
    arrays, scalars = nothing, nothing
    for (i, T) in enumerate(ins.parameters)
        (i > length(promoted) || !promoted[i] || T === Nothing) && continue
        element = :(known_dtype(eltype(ins[$i])))
        if rank(T) == 0
            scalars = scalars === nothing ? element : :(promote_dtypes($scalars, $element))
        else
            arrays = arrays === nothing ? element : :(promote_dtypes($arrays, $element))
        end
    end
    arrays === nothing && return scalars === nothing ? :Float32 : scalars
    scalars === nothing ? arrays : :(with_scalars($arrays, $scalars))
end

known_dtype(::Type{T}) where {T} = (datatype(T); T)
with_scalars(::Type{A}, ::Type{S}) where {A,S} = category(S) > category(A) ? S : A

result_size(op::OpInfo{rule,size}, ins::Tuple) where {rule,size} = size_by(Val(size), op, ins)

size_by(::Val, op, ins) = broadcast_size(ins)
size_by(::Val{:first}, op, ins) = size(first_operand(op, ins))
function size_by(::Val{:gated}, op, ins)
    s = size(first_operand(op, ins))
    all_absent(Base.tail(ins)) || return broadcast_size(ins)
    isempty(s) && invalid("TileOps.$(op.name): inputs[0]: has no dimension to halve")
    (s[1] ÷ 2, Base.tail(s)...)
end

first_operand(op, ins::Tuple) = ins[1]
first_operand(op, ::Tuple{}) = invalid("TileOps.$(op.name): inputs[0]: is absent")

all_absent(::Tuple{}) = true
all_absent(ins::Tuple) = false
all_absent(ins::Tuple{Nothing,Vararg{Any}}) = all_absent(Base.tail(ins))

# Where sizes do not fit, the library says so when it sees the operands.
broadcast_size(::Tuple{}) = ()
broadcast_size(ins::Tuple) = common_size(extents(ins[1]), broadcast_size(Base.tail(ins)))
extents(::Nothing) = ()
extents(x) = size(x)
common_size(::Tuple{}, ::Tuple{}) = ()
common_size(a::Tuple, ::Tuple{}) = a
common_size(::Tuple{}, b::Tuple) = b
common_size(a::Tuple, b::Tuple) = (a[1] == 1 ? b[1] : a[1], common_size(Base.tail(a), Base.tail(b))...)

allocate(model::AbstractArray, T, dims) = similar(root(model), T, dims)
allocate(model::BitArray, T, dims) = Array{T}(undef, dims)
allocate(::Nothing, T, dims) = Array{T}(undef, dims)

# The array whose kind of memory a result has; numbers, made 0-d arrays, are in host memory.
model_array(::Tuple{}) = nothing
model_array(inputs::Tuple) = inputs[1] isa AbstractArray ? inputs[1] : model_array(Base.tail(inputs))

# ------------------------------------------------------------------ calls ------------------

# f(x...): `values` are the attributes in the table's order, `optional` says which optional outputs
# to return as well. Of numbers alone the result is a number.
function apply(op::OpInfo, inputs::Tuple, values::Tuple; dtype=nothing, context=nothing, size=nothing,
               optional::Tuple=())
    require_library()
    ins = operands(op, inputs, values)
    T = result_type(op, ins, values, dtype)
    dims = size === nothing ? result_size(op, ins) : given_size(op, size)
    model = model_array(inputs)
    y = allocate(model, T, dims)
    # Outputs that are not asked for are absent.
    outs = (y, map(wanted -> wanted ? allocate(model, Bool, dims) : nothing, optional)...)
    run_operator!(op, outs, ins, values, stream_pointer(nothing, outs), context)
    optional isa Tuple{} || return any(optional) ? present(outs) : y
    model === nothing && !(inputs isa Tuple{}) && size === nothing ? y[] : y
end

present(::Tuple{}) = ()
present(outs::Tuple) = outs[1] === nothing ? present(Base.tail(outs)) : (outs[1], present(Base.tail(outs))...)

given_size(op, size::Dims) = size
given_size(op, size) = invalid("TileOps.$(op.name): size: is no tuple of integers (got $(repr(size)))")

# f!(y, x...)
function apply!(op::OpInfo, outputs, inputs::Tuple, values::Tuple; context=nothing, stream=nothing)
    require_library()
    outs, ins = map(output, as_tuple(outputs)), operands(op, inputs, values)
    isempty(outs) && invalid("TileOps.$(op.name)!: outputs: are none")
    if loses_fractions(op, outs[1], ins, values)
        # As y .= f.(x): an InexactError rather than truncated values.
        exact = Array{result_type(op, ins, values, nothing)}(undef, size(outs[1]))
        apply!(op, (exact, Base.tail(outs)...), inputs, values; context=context, stream=stream)
        copyto!(outs[1], exact)
        return outputs
    end
    run_operator!(op, outs, ins, values, stream_pointer(stream, outs), context)
    outputs
end

# Is the result of floats, and the array of integers? cast! is there to truncate.
loses_fractions(op::OpInfo, y, ins, values) = false
loses_fractions(op::OpInfo, y::AbstractArray{<:Integer}, ins, values) =
    op.result !== :source && result_type(op, ins, values, nothing) <: AbstractFloat && device_of(y) == CPU

# By a plan that the library's context keeps.
function run_once(op::OpInfo, outs::Tuple, ins::Tuple, values::Tuple, context, stream::Ptr{Cvoid})
    attrs = encode_all(op, values, axis_ndims(outs, ins))
    status = with_tensors(outs, ins) do inputs, num_inputs, outputs, num_outputs
        with_context(context) do ctx
            plan = Ref{Ptr{Cvoid}}(C_NULL)
            s = ccall(LIB.tileops_plan_create_like, Int32,
                      (Ptr{Cvoid}, Int32, Ptr{Ptr{DLTensor}}, Csize_t, Ptr{Ptr{DLTensor}}, Csize_t, Ptr{CAttr},
                       Csize_t, Ref{Ptr{Cvoid}}),
                      ctx, op.id, inputs, num_inputs, outputs, num_outputs, attrs, length(attrs), plan)
            s == 0 || return s
            s = ccall(LIB.tileops_execute, Int32,
                      (Ptr{Cvoid}, Ptr{Ptr{DLTensor}}, Csize_t, Ptr{Ptr{DLTensor}}, Csize_t, Ptr{Cvoid}),
                      plan[], inputs, num_inputs, outputs, num_outputs, stream)
            ccall(LIB.tileops_plan_destroy, Cvoid, (Ptr{Cvoid},), plan[])
            s
        end
    end
    check(status)
end

# ------------------------------------------------------------------ by name ----------------

"""
    TileOps.call(name, inputs...; dtype=nothing, size=nothing, context=nothing, attributes...)

The operator of that name, in a new array: `TileOps.call(:gelu, x; approximate=:tanh)`.
`dtype` is the element type of the result, by default the one that follows from the inputs;
`size` is needed by operators whose result has no size of its own (`alibi`, `sinusoidal`).

```jldoctest
julia> TileOps.call("maximum", [1, 5], [3, 2])
2-element Vector{Int64}:
 3
 5
```
"""
@inline function call(name, inputs::Vararg{Any,N}; dtype=nothing, size=nothing, context=nothing, attributes...) where {N}
    op = find_operator(name)
    op.size === :given && size === nothing && invalid("TileOps.$(op.name): size: is needed")
    apply(op, inputs, values_of(op, attributes.data); dtype=dtype, size=size, context=context)
end

"""
    TileOps.call!(name, outputs, inputs...; context=nothing, stream=nothing, attributes...)

The operator of that name, written to `outputs`, an array or a tuple of arrays, which it returns.
"""
@inline function call!(name, outputs, inputs::Vararg{Any,N}; context=nothing, stream=nothing, attributes...) where {N}
    op = find_operator(name)
    apply!(op, outputs, inputs, values_of(op, attributes.data); context=context, stream=stream)
end
