# Calls of expressions without a plan object, and what their results will be.

"""
    TileOps.infer(e, inputs...)
    TileOps.infer(op, inputs...; size=nothing, attributes...)

Element type and size of each result of an expression or operator, `[(T, size), ...]`, before there is memory for
it. `inputs` are arrays, `TensorSpec`s, numbers, or `nothing` where one is absent. A size that follows from an open one
is `:`.

```jldoctest
julia> sum_of, less = TileOps.infer(Expression("(x, y) -> x + y, x < y"), zeros(Float16, 3), zeros(Float32, 3, 2));

julia> sum_of, less
((Float32, (3, 2)), (Bool, (3, 2)))
```
"""
function infer(e::Expression, @nospecialize(inputs...))
    ins = map(operand, inputs)
    with_descriptors((), ins) do descs
        map(0:length(e.results)-1) do k
            with_pointer(p -> infer_result(OP_NONE, p, descs, length(ins), 0, NO_ATTRIBUTES, k), e)
        end
    end
end

function infer(name::Union{Symbol,AbstractString,OpInfo}, @nospecialize(inputs...); size=nothing, attributes...)
    op = find_operator(name)
    require_library()
    values = values_of(op, attributes.data)
    ins = operands(op, inputs, values)
    outs = size === nothing ? () : (TensorSpec(Float32, given_size(op, size)),)
    attrs = encode_all(op, values, isempty(ins) || ins[1] === nothing ? 0 : ndims(ins[1]))
    with_descriptors(outs, ins) do descs
        map(0:length(op.outputs)-1) do k
            infer_result(op.id, C_NULL, descs, length(ins), length(outs), attrs, k)
        end
    end
end

function with_descriptors(f, outs, ins)
    keep = Vector{Int64}[]
    descs = CTensorDesc[describe(keep, t) for t in (outs..., ins...)]
    GC.@preserve keep f(descs)
end

function infer_result(id, expr, descs, num_inputs, num_outputs, attrs, k)
    dtype, rank, shape = Ref{DLDataType}(), Ref{Int32}(), Vector{Int64}(undef, 32)
    GC.@preserve descs attrs begin
        desc = Ref(CPlanDesc(sizeof(CPlanDesc), id, CPU, num_inputs, num_outputs, length(attrs), 0,
            pointer(descs) + num_outputs * sizeof(CTensorDesc), pointer(descs), pointer(attrs), 0, 0, 0, 0, expr))
        check(ccall(LIB.tileops_plan_infer, Int32,
                    (Ref{CPlanDesc}, Csize_t, Ref{DLDataType}, Ref{Int32}, Ptr{Int64}), desc, k, dtype, rank, shape))
    end
    described_result(dtype[], rank[], shape)
end

# Element type and size as Julia has them.
function described_result(dtype, rank, shape)
    if dtype.bits == 4 && dtype.lanes == 1  # counted in pairs here
        dtype = DLDataType(dtype.code, 4, 2)
        rank > 0 && (shape[rank] = cld(shape[rank], 2))
    end
    julia_type(dtype), ((extent(Int(shape[d])) for d in rank:-1:1)...,)
end

"""
    TileOps.device_function(e, name, inputs...; reproducible=false)

An expression as a function for CUDA code: the text of a header that has a template of this name over values in registers,
for operands of these dtypes; of shapes it matters how long rows are, and which operands are one element.
"""
function device_function(e::Expression, name::AbstractString, inputs...; reproducible=false)
    ins = map(operand, inputs)
    with_descriptors((), ins) do descs
        with_pointer(p -> device_function_text(p, descs, length(ins), name, reproducible), e)
    end
end

function device_function_text(expr, descs, num_inputs, name, reproducible)
    flags = UInt32(reproducible ? PLAN_REPRODUCIBLE : 0)
    size = Ref{Csize_t}(0)
    GC.@preserve descs begin
        desc = Ref(CPlanDesc(sizeof(CPlanDesc), OP_NONE, CPU, num_inputs, 0, 0, flags, pointer(descs), pointer(descs),
            pointer(NO_ATTRIBUTES), 0, 0, 0, 0, expr))
        ask(buffer) = check(ccall(LIB.tileops_plan_device_function, Int32,
            (Ref{CPlanDesc}, Cstring, Ptr{UInt8}, Ref{Csize_t}), desc, name, buffer, size))
        ask(Ptr{UInt8}(C_NULL))
        text = Vector{UInt8}(undef, size[])
        GC.@preserve text ask(pointer(text))
        String(text[1:end-1])
    end
end

"""
    e(inputs...; context=nothing, scalars...)
    TileOps.call(e, inputs...; context=nothing, scalars...)

An expression in new arrays: one, or a tuple of them where it has several results; of numbers alone, numbers.
"""
@inline function call(e::Expression, inputs::Vararg{Any,N}; context=nothing, scalars...) where {N}
    ins = map(operand, inputs)
    model = first_with_dimensions(inputs)
    found = results(e, ins)
    outs = length(found) == 1 ? (allocate(model, found[1]...),) : ((allocate(model, T, dims) for (T, dims) in found)...,)
    run_expression!(e, outs, ins, scalars.data, stream_pointer(nothing, outs), context)
    values = model_array(inputs) === nothing ? map(y -> y[], outs) : outs
    length(values) == 1 ? values[1] : values
end

(e::Expression)(inputs::Vararg{Any,N}; context=nothing, scalars...) where {N} =
    call(e, inputs...; context=context, scalars...)

# The array whose kind of memory results have: 0-d ones may lie in host memory beside others.
first_with_dimensions(::Tuple{}) = nothing
first_with_dimensions(inputs::Tuple) = inputs[1] isa AbstractArray && ndims(inputs[1]) > 0 ? inputs[1] :
    first_with_dimensions(Base.tail(inputs))

"""
    TileOps.call!(e, outputs, inputs...; context=nothing, stream=nothing, scalars...)

An expression, written to `outputs`, an array or a tuple of arrays, which it returns. Their element types may be
any; each result is converted once.
"""
@inline function call!(e::Expression, outputs, inputs::Vararg{Any,N}; context=nothing, stream=nothing, scalars...) where {N}
    outs, ins = map(output, as_tuple(outputs)), map(operand, inputs)
    check_outputs(outs)
    run_expression!(e, outs, ins, scalars.data, stream_pointer(stream, outs), context)
    outputs
end
