"Where an open size of a plan stands first, counted as in C, in an operand of so many dimensions; the most that it may be."
struct OpenSize
    input::Int
    axis::Int
    ndims::Int
    most::Int
end

"""
    Plan(op, outputs, inputs...; context=nothing, reproducible=false, jit=true, cached=true, pdl=true, list=false, attributes...)

Prepares the operator `op`, a name such as `:add`, or an [`Expression`](@ref) for the sizes, strides and element types of the
given arrays or `TileOps.TensorSpec`s; their elements are not looked at. All checks, the choice of the
kernel and, on CUDA, its compilation happen here. [`execute!`](@ref) then runs the plan on any arrays
like them, as often as wanted, from any number of tasks at once.

- `outputs`: an array, or a tuple of arrays; their element types may be any, results are converted once
- `inputs`: arrays, real numbers, or `nothing` for an optional input that is absent
- `reproducible`: Float32 and Float64 results with the same bits on CPU and GPU
- `jit`: `false` to fail rather than compile at run time
- `cached`: `false` to neither look in the context's plan cache nor add to it
- `pdl`: `false` to launch CUDA kernels without programmatic edges, which some tools refuse in a captured graph
- `list`: `true` for [`TileOps.execute_list!`](@ref), many sets of arrays by one call
- `attributes`: those of the operator, by name; left out, they have their defaults. An expression has none: the
  values of its scalars come with `execute!`

Where sizes of a `TileOps.TensorSpec` are open, `:` or [`TileOps.UpTo`](@ref)`(n)`, one plan does for any of them: `execute!` takes
them from the arrays, and plans, compiles and locks nothing. Which of them are equal follows from the operator or the
expression; what is repeated along an open size has size 1 there when it is planned. What may not be open, such as a
dimension that is reduced in groups, is refused when it is planned. [`TileOps.open_sizes`](@ref) says which there are,
[`TileOps.plan_at`](@ref) what an execute is at given ones, [`TileOps.plan_result`](@ref) what a result then is.

`close` releases it, at the latest when it is garbage; a closed plan throws. Throws [`TileOpsError`](@ref).

A plan belongs to the process that made it: it cannot be serialized, and one in a constant of a
precompiled module throws, so that modules make theirs in `__init__`. `deepcopy` gives a second handle of it.

```jldoctest
julia> x = Float32[-1 2; 3 -4]; y = similar(x);

julia> plan = Plan(:leaky_relu, y, x; negative_slope=0.5);

julia> execute!(plan, y, x)
2×2 Matrix{Float32}:
 -0.5   2.0
  3.0  -2.0

julia> close(plan)

julia> rows = TileOps.TensorSpec(Float32, (2, TileOps.UpTo(512)));

julia> plan = Plan(Expression("(x) -> x / sum(x)"), rows, rows);

julia> execute!(plan, zeros(Float32, 2, 1), Float32[1 3]')
2×1 Matrix{Float32}:
 0.25
 0.75
```
"""
mutable struct Plan
    handle::Handle
    op::Union{OpInfo,Expression}
    limits::Limits
    workspaces::Union{Nothing,Workspaces}  # nothing: it needs none
    open::Vector{OpenSize}  # those that each execute brings; of most plans none

    Plan(::Val{:own}, p::Ptr{Cvoid}, op, limits::Limits, workspaces=nothing, open=NO_OPEN) =
        finalizer(release_plan, new(Handle(p), op, limits, workspaces, open))
end

const NO_OPEN = OpenSize[]

noun(::Type{Plan}) = "plan"
destroy(::Type{Plan}, p::Ptr{Cvoid}) = ccall(LIB.tileops_plan_destroy, Cvoid, (Ptr{Cvoid},), p)
release_plan(p::Plan) = close_handle(p.handle, Plan)
Base.close(p::Plan) = (release_plan(p); forget_workspaces(p.workspaces))
Base.isopen(p::Plan) = isopen_handle(p.handle)
Base.show(io::IO, p::Plan) = print(io, "TileOps.Plan(", title(p.op), isopen(p) ? "" : ", " * state(p.handle), ")")

title(op::OpInfo) = ":$(op.name)"
title(e::Expression) = repr(string(e))

Serialization.serialize(::AbstractSerializer, ::Plan) = cannot_serialize("plan")

# Another reference to the same plan of the library, with an end of its own.
function Base.deepcopy_internal(p::Plan, seen::IdDict)
    haskey(seen, p) && return seen[p]::Plan
    GC.@preserve p begin
        pointer = acquire(p.handle, Plan)
        status = ccall(LIB.tileops_plan_retain, Int32, (Ptr{Cvoid},), pointer)
        release(p.handle, Plan)
    end
    check(status)
    seen[p] = Plan(Val(:own), pointer, p.op, p.limits, own_workspaces(p.workspaces), p.open)
end

as_tuple(x) = (x,)
as_tuple(x::Tuple) = x

function Plan(op::Union{Symbol,AbstractString,OpInfo}, @nospecialize(outputs), @nospecialize(inputs...); context::Union{Nothing,Context}=nothing,
              reproducible::Bool=false, jit::Bool=true, cached::Bool=true, pdl::Bool=true, list::Bool=false,
              attributes...)
    require_library()
    info = find_operator(op)
    values = values_of(info, attributes.data)
    outs, ins = map(output, as_tuple(outputs)), operands(info, inputs, values)
    check_outputs(outs)
    operator_plan(context, info, outs, ins, values, plan_flags(reproducible, jit, cached, pdl, list))
end

operator_plan(context, op, outs, ins, values, flags) =
    with_open_sizes!(Plan(Val(:own), new_plan(context, op.id, C_NULL, outs, ins, encode_all(op, values, axis_ndims(outs, ins)), flags),
                          op, limits(op, ins, values)), ins)

function Plan(e::Expression, @nospecialize(outputs), @nospecialize(inputs...); context::Union{Nothing,Context}=nothing,
              reproducible::Bool=false, jit::Bool=true, cached::Bool=true, pdl::Bool=true, list::Bool=false)
    outs, ins = map(output, as_tuple(outputs)), map(operand, inputs)
    check_outputs(outs)
    flags = plan_flags(reproducible, jit, cached, pdl, list)
    expression_plan(context, e, outs, ins, flags)
end

function expression_plan(context, e, outs, ins, flags)
    plan = Plan(Val(:own), with_pointer(p -> new_plan(context, OP_NONE, p, outs, ins, NO_ATTRIBUTES, flags), e), e, NO_LIMITS)
    with_open_sizes!(plan, ins)
    bytes = most_workspace(plan)
    bytes == 0 || (plan.workspaces = Workspaces(bytes, plan_device(outs, ins)))
    plan
end

function check_outputs(outs)
    isempty(outs) && invalid("Plan: outputs: are none")
    outs[1] === nothing && invalid("Plan: outputs[0]: is nothing")
end

plan_flags(reproducible, jit, cached, pdl, list) =
    UInt32(reproducible ? PLAN_REPRODUCIBLE : 0) | UInt32(jit ? 0 : PLAN_NO_JIT) |
        UInt32(cached ? 0 : PLAN_NO_CACHE) | UInt32(pdl ? 0 : PLAN_NO_PDL) |
        UInt32(list ? PLAN_LIST : 0)

const OP_NONE = Int32(0)

# A reference to a plan of the operator `id`, or of the expression `expr`.
function new_plan(context, id, expr::Ptr{Cvoid}, outs, ins, attrs, flags)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    keep = Vector{Int64}[]
    descs = [describe(keep, t) for t in (outs..., ins...)]
    check(with_context(context) do ctx
        GC.@preserve keep descs attrs begin
            desc = Ref(CPlanDesc(sizeof(CPlanDesc), id, plan_device(outs, ins), length(ins), length(outs),
                length(attrs), flags, pointer(descs) + length(outs) * sizeof(CTensorDesc), pointer(descs), pointer(attrs),
                0, 0, 0, 0, expr))
            ccall(LIB.tileops_plan_create, Int32, (Ptr{Cvoid}, Ref{CPlanDesc}, Ref{Ptr{Cvoid}}), ctx, desc, out)
        end
    end)
    out[]
end

# dtype.bits == 0 is an absent input.
describe(keep, ::Nothing) = CTensorDesc(DLDataType(0, 0, 0), 0, C_NULL, C_NULL)
function describe(keep, A)
    sizes, strides = Int64[reverse(raw_size(A))...], Int64[reverse(steps(A))...]
    push!(keep, sizes, strides)
    CTensorDesc(datatype(eltype(A)), ndims(A), pointer(sizes), ROW_MAJOR in strides ? C_NULL : pointer(strides))
end

# That of the first operand not in host memory, where 0-d inputs of CUDA plans may lie.
function plan_device(outs, ins)
    for t in (outs..., ins...)
        t !== nothing && device_of(t).type != kDLCPU && return device_of(t)
    end
    CPU
end

"""
    execute!(plan, outputs, inputs...; stream=nothing, workspace=nothing, scalars...)

Runs a plan and returns `outputs`. The arrays must have the sizes, strides and element types that it
was made for. An output may be one of the inputs, but must not overlap them otherwise.

On CPU the result is there on return. On CUDA the work is enqueued on `stream`, by default the task's
current one; arrays used on another stream must be kept until it is done.

Few plans need a workspace, memory for what one pass over the operands leaves for later ones (`TileOps.plan_info(plan)`
says how much). By default an execute takes one that the plan keeps, a free one of the stream or a new one; `workspace`
is one that is given, a dense array on the plan's device whose memory is aligned to 64 bytes, such as
[`TileOps.workspace`](@ref)`(plan)`. Where a plan has open sizes without a bound it takes what those of an execute need, so
that a larger one allocates. A workspace that is given belongs to the execute until its work is done: executes at the same time need
one each, and a captured graph one of its own, in which it works each time that it is launched.

Allocates nothing but a workspace of which none is free, and is safe from any number of tasks at once. Throws [`TileOpsError`](@ref), for a closed plan
too, and for a number that the integer type of the arrays beside it does not hold.

Scalars of an expression are given by name; each that is left out has its default. They never make a plan. One whose
default is an integer takes integers of 64 bits, `Bool`s as 0 and 1, and integral floats such as `3.0`, and refuses
`3.5`; one whose default is a float takes every real number, as a `Float64`.

```jldoctest
julia> x = Float32[1, 2]; plan = Plan(Expression("(x; a = 1.0) -> x * a + 1"), x, x);

julia> execute!(plan, similar(x), x; a=10)
2-element Vector{Float32}:
 11.0
 21.0
```
"""
@inline function execute!(plan::Plan, outputs, inputs::Vararg{Any,N}; stream=nothing, workspace=nothing, scalars...) where {N}
    # N: a method for each number of inputs.
    outs, ins = map(output, as_tuple(outputs)), fitted(plan.limits, map(operand, inputs))
    isempty(outs) && invalid("execute!: outputs: are none")
    run_plan(plan, outs, ins, scalars.data, stream_pointer(stream, outs), workspace)
    outputs
end

@inline function run_plan(plan::Plan, outs::Tuple, ins::Tuple, scalars::NamedTuple, stream::Ptr{Cvoid}, ::Nothing=nothing)
    own = plan.workspaces
    if own !== nothing
        bytes = own.bytes == AT_EXTENTS ? workspace_at(plan, ins) : own.bytes
        bytes == 0 && return check(run_with(plan, outs, ins, scalars, stream, C_NULL, UInt64(0)))
        kept = borrow_workspace(own, stream, bytes)
        # Where this throws, the workspace is freed as garbage.
        status = run_with(plan, outs, ins, scalars, stream, kept.data, UInt64(kept.bytes))
        give_back(own, kept)
        check(status)
    elseif scalars isa NamedTuple{()}
        run_plan(plan, outs, ins, stream)
    else
        check(run_with(plan, outs, ins, scalars, stream, C_NULL, UInt64(0)))
    end
end
@inline function run_plan(plan::Plan, outs::Tuple, ins::Tuple, scalars::NamedTuple, stream::Ptr{Cvoid}, workspace)
    GC.@preserve workspace begin
        data, bytes = given_workspace(plan.workspaces, workspace)
        status = run_with(plan, outs, ins, scalars, stream, data, bytes)
    end
    check(status)
end

# How many there are; of those that are not given all are left off.
write_scalars_of(values, plan, ::NamedTuple{()}) = UInt32(0)
@inline function write_scalars_of(values, plan, scalars::NamedTuple)
    e = plan.op
    e isa Expression ? write_scalars(values, e, scalars) : no_scalars(scalars)
end

# The status, so that what is done after it is done also where it is an error. `launch` is the call of the library.
@inline function run_with(plan::Plan, outs::Tuple, ins::Tuple, scalars::NamedTuple, stream::Ptr{Cvoid}, data::Ptr{Cvoid}, bytes,
                          launch=execute_all)
    operands = (outs..., ins...)
    frame = frame_for(operands, Val(SCALAR_WORDS + sizeof(CExecuteArgs) ÷ WORD))
    GC.@preserve plan frame operands begin
        base = Ptr{UInt}(pointer_from_objref(frame))
        values = Ptr{CNumber}(base + WORD * fill_frame(base, 0, length(operands), operands))
        num_scalars = write_scalars_of(values, plan, scalars)
        args = Ptr{CExecuteArgs}(values + WORD * SCALAR_WORDS)
        pointers = Ptr{Ptr{DLTensor}}(base)
        unsafe_store!(args, CExecuteArgs(sizeof(CExecuteArgs), length(ins) % UInt32, length(outs) % UInt32, num_scalars,
                                         pointers + WORD * length(outs), pointers, values, stream, data, bytes, C_NULL,
                                         C_NULL, C_NULL, UInt32(0), UInt32(0)))
        p = acquire(plan.handle, Plan)
        s = launch(p, args)
        release(plan.handle, Plan)
        s
    end
end

@inline execute_all(p, args) = ccall(LIB.tileops_execute_with, Int32, (Ptr{Cvoid}, Ptr{CExecuteArgs}), p, args)

@noinline no_scalars(given) =
    invalid("execute!: scalars: an operator has none (got $(join(keys(given), ", ")))")

@inline function run_plan(plan::Plan, outs::Tuple, ins::Tuple, stream::Ptr{Cvoid})
    status = GC.@preserve plan with_tensors(outs, ins) do inputs, num_inputs, outputs, num_outputs
        p = acquire(plan.handle, Plan)
        s = ccall(LIB.tileops_execute, Int32,
                  (Ptr{Cvoid}, Ptr{Ptr{DLTensor}}, Csize_t, Ptr{Ptr{DLTensor}}, Csize_t, Ptr{Cvoid}),
                  p, inputs, num_inputs, outputs, num_outputs, stream)
        release(plan.handle, Plan)
        s
    end
    check(status)
end

# The stream that work on an array of this kind of memory goes to by default.
default_stream(root) = C_NULL
stream_pointer(::Nothing, outs::Tuple) = outs[1] isa AbstractArray ? default_stream(root(outs[1])) : C_NULL
stream_pointer(stream::Ptr, outs::Tuple) = Ptr{Cvoid}(stream)

"""
    TileOps.plan_info(plan)

What a plan does, as a named tuple: `bytes_moved` by one execute, `workspace_bytes` that it works in besides (see
[`execute!`](@ref)), `num_elements` of the first output,
which are `nothing` where they depend on open sizes ([`TileOps.plan_at`](@ref) has them then),
`kernel`, `strategy`, `origin` of the kernel ("builtin", "memory", "pack", "disk" or "compiled") and
`layout` ("contiguous", "broadcast", "tiled" or "strided").
"""
function plan_info(plan::Plan)
    number(prop) = isempty(plan.open) ? Int(reinterpret(UInt64, query(plan, prop))[1]) : nothing
    text(prop) = String(query(plan, prop)[1:end-1])
    own = plan.workspaces
    space = own === nothing ? 0 : own.bytes == AT_EXTENTS ? nothing : own.bytes
    (bytes_moved=number(PLAN_BYTES_MOVED), workspace_bytes=space, num_elements=number(PLAN_NUM_ELEMENTS),
     kernel=text(PLAN_KERNEL_NAME), strategy=text(PLAN_STRATEGY), origin=text(PLAN_CACHE_ORIGIN),
     layout=text(PLAN_LAYOUT))
end

"""
    TileOps.workspace(plan)
    TileOps.workspace(plan, extents...)

Memory for the keyword `workspace` of [`execute!`](@ref), on the plan's device: what does for all its open sizes, which have
a bound then, or for the extents that are given, and all below them.

```jldoctest
julia> x = [1.0 2.0; 3.0 4.0]; plan = Plan(Expression("(x) -> x / sum(x) / sum(x, axis = -2)"), x, x);

julia> space = TileOps.workspace(plan); length(space) == TileOps.plan_info(plan).workspace_bytes > 0
true

julia> execute!(plan, similar(x), x; workspace=space) ≈ x ./ sum(x; dims=1) ./ sum(x; dims=2)
true
```
"""
function workspace(plan::Plan)
    own = plan.workspaces
    own === nothing && return undefined_tensor(UInt8, (0,))
    own.bytes == AT_EXTENTS &&
        invalid("TileOps.workspace: plan: its size depends on open sizes (need a bound, TileOps.UpTo, or extents behind the plan)")
    undefined_tensor(UInt8, (own.bytes,); device=own.device)
end
function workspace(plan::Plan, extents::Integer...)
    own, bytes = plan.workspaces, plan_at(plan, extents...).workspace_bytes
    undefined_tensor(UInt8, (bytes,); device=own === nothing ? CPU : own.device)
end

function query(plan::Plan, prop)
    bytes, size = UInt8[], Ref{Csize_t}(0)
    ask(buffer) = GC.@preserve plan begin
        p = acquire(plan.handle, Plan)
        s = ccall(LIB.tileops_plan_query, Int32, (Ptr{Cvoid}, Int32, Ptr{UInt8}, Ref{Csize_t}), p, prop, buffer, size)
        release(plan.handle, Plan)
        s
    end
    check(ask(C_NULL))
    resize!(bytes, size[])
    check(ask(bytes))
    bytes
end
