# Calls without a plan object. The library keeps the plans of a context, so that a repeated call only
# looks its plan up: no cache is needed here.

# ------------------------------------------------------------------ results ----------------

function result_type(op::OpInfo, ins::Tuple, values::Tuple, dtype)
    dtype === nothing || return (datatype(dtype); dtype)
    op.result === :bool && return Bool
    T = promoted_type(op, ins)
    category(T) == 3 && return T
    op.result === :float && return Float32
    op.result === :quotient && !any(v -> v in (:trunc, :floor, "trunc", "floor"), values) && return Float32
    T
end

# Operands of no dimensions count only where their category is a higher one.
function promoted_type(op::OpInfo, ins::Tuple)
    arrays, scalars = nothing, nothing
    for (x, spec) in zip(ins, op.inputs)
        (x === nothing || !spec.promoted) && continue
        T = eltype(x)
        datatype(T)
        if ndims(x) == 0
            scalars = scalars === nothing ? T : promote_dtypes(scalars, T)
        else
            arrays = arrays === nothing ? T : promote_dtypes(arrays, T)
        end
    end
    arrays === nothing && return scalars === nothing ? Float32 : scalars
    scalars !== nothing && category(scalars) > category(arrays) ? scalars : arrays
end

function result_size(op::OpInfo, ins::Tuple)
    if op.size === :first || op.size === :gated
        isempty(ins) && invalid("TileOps.$(op.name): inputs[0]: is absent")
        if op.size === :gated && all(isnothing, Base.tail(ins))
            s = size(ins[1])
            isempty(s) && invalid("TileOps.$(op.name): inputs[0]: has no dimension to halve")
            return (s[1] ÷ 2, Base.tail(s)...)
        end
        op.size === :first && return size(ins[1])
    end
    broadcast_size(ins)
end

# Where sizes do not fit, the library says so when it sees the operands.
function broadcast_size(ins::Tuple)
    n = mapreduce(x -> x === nothing ? 0 : ndims(x), max, ins; init=0)
    ntuple(n) do d
        for x in ins
            x === nothing || d > ndims(x) || size(x, d) == 1 || return size(x, d)
        end
        1
    end
end

allocate(model::AbstractArray, T, dims) = similar(root(model), T, dims)
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
    ins = operands(op, inputs)
    T = result_type(op, ins, values, dtype)
    dims = size === nothing ? result_size(op, ins) : given_size(op, size)
    model = model_array(inputs)
    y = allocate(model, T, dims)
    # Outputs that are not asked for are absent.
    outs = (y, map(wanted -> wanted ? allocate(model, Bool, dims) : nothing, optional)...)
    run_once(op, outs, ins, encode_all(op, values, axis_ndims(outs, ins)), context, stream_pointer(nothing, outs))
    any(optional) && return filter(!isnothing, outs)
    model === nothing && !isempty(inputs) && size === nothing ? y[] : y
end

given_size(op, size::Dims) = size
given_size(op, size) = invalid("TileOps.$(op.name): size: is no tuple of integers (got $(repr(size)))")

# f!(y, x...)
function apply!(op::OpInfo, outputs, inputs::Tuple, values::Tuple; context=nothing, stream=nothing)
    require_library()
    outs, ins = map(output, as_tuple(outputs)), operands(op, inputs)
    isempty(outs) && invalid("TileOps.$(op.name)!: outputs: are none")
    run_once(op, outs, ins, encode_all(op, values, axis_ndims(outs, ins)), context, stream_pointer(stream, outs))
    outputs
end

function run_once(op::OpInfo, outs::Tuple, ins::Tuple, attrs::Vector{CAttr}, context, stream::Ptr{Cvoid})
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
function call(name, inputs...; dtype=nothing, size=nothing, context=nothing, attributes...)
    op = find_operator(name)
    op.size === :given && size === nothing && invalid("TileOps.$(op.name): size: is needed")
    apply(op, inputs, values_of(op, attributes); dtype=dtype, size=size, context=context)
end

"""
    TileOps.call!(name, outputs, inputs...; context=nothing, stream=nothing, attributes...)

The operator of that name, written to `outputs`, an array or a tuple of arrays, which it returns.
"""
function call!(name, outputs, inputs...; context=nothing, stream=nothing, attributes...)
    op = find_operator(name)
    apply!(op, outputs, inputs, values_of(op, attributes); context=context, stream=stream)
end
