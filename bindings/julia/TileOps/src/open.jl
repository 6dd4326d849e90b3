# Open plans: sizes that each execute brings, and what an execute is at given ones; and executes on bare addresses.

const MOST_OPEN = 16  # of a plan

"Extents as C takes them; those behind the plan's are 0."
const Extents = NTuple{MOST_OPEN,Int64}

# Asks for those of a new plan.
function with_open_sizes!(plan::Plan, ins)
    any(is_open, ins) || return plan
    count = reinterpret(Int32, query(plan, PLAN_NUM_EXTENTS))[1]
    plan.open = map(0:count-1) do i
        input, axis, most = Ref{Int32}(0), Ref{Int32}(0), Ref{Int64}(0)
        check(with_plan(plan) do p
            ccall(LIB.tileops_plan_extent, Int32, (Ptr{Cvoid}, Csize_t, Ref{Int32}, Ref{Int32}, Ref{Int64}), p, i, input, axis, most)
        end)
        OpenSize(input[], axis[], ndims(ins[input[]+1]), most[])
    end
    plan
end

@inline function with_plan(f::F, plan::Plan) where {F}
    GC.@preserve plan begin
        p = acquire(plan.handle, Plan)
        status = f(p)
        release(plan.handle, Plan)
    end
    status
end

# What does for all sizes that an execute may bring; AT_EXTENTS: there is no such number.
function most_workspace(plan::Plan)
    any(o -> o.most == typemax(Int), plan.open) || return Int(reinterpret(UInt64, query(plan, PLAN_WORKSPACE_BYTES))[1])
    try
        Int(reinterpret(UInt64, query(plan, PLAN_WORKSPACE_BYTES))[1])
    catch e
        e isa TileOpsError && e.status == STATUS_INVALID_ARGUMENT ? AT_EXTENTS : rethrow()
    end
end

# The extents that operands bring. One without that dimension brings 0: the library then says what is wrong with it.
@inline extents_in(plan::Plan, ins::Tuple) =
    ntuple(i -> i <= length(plan.open) ? extent_in(ins, plan.open[i].input, plan.open[i].axis) : 0, Val(MOST_OPEN))
@inline extent_in(::Tuple{}, input, axis) = 0
@inline extent_in(ins::Tuple, input, axis) =
    input == 0 ? extent_of(ins[1], axis) : extent_in(Base.tail(ins), input - 1, axis)
@inline extent_of(::Nothing, axis) = 0
@inline extent_of(A, axis) = axis < ndims(A) ? raw_size(A)[ndims(A)-axis] : 0

@inline function facts_at(plan::Plan, extents::Extents, count)
    facts, list = Ref(CPlanFacts(sizeof(CPlanFacts), 0, 0, 0, 0, 0)), Ref(extents)
    status = with_plan(plan) do p
        ccall(LIB.tileops_plan_at, Int32, (Ptr{Cvoid}, Ref{Extents}, Csize_t, Ref{CPlanFacts}), p, list, count, facts)
    end
    status, facts[]
end

# Of sizes that the plan refuses 0: the library says what is wrong with them.
@inline function workspace_at(plan::Plan, ins::Tuple)
    status, facts = facts_at(plan, extents_in(plan, ins), length(plan.open))
    status == 0 ? Int(facts.workspace_bytes) : 0
end

@noinline too_many_extents(name, extents) =
    invalid("$name: extents: are too many (got $(length(extents)), need at most $MOST_OPEN)")

@inline function given_extents(name, extents)
    length(extents) <= MOST_OPEN || too_many_extents(name, extents)
    ntuple(i -> i <= length(extents) ? Int64(extents[i]) : Int64(0), Val(MOST_OPEN))
end

"""
    TileOps.open_sizes(plan)

The sizes that each execute of a plan brings, in the order in which [`TileOps.plan_at`](@ref), [`TileOps.plan_result`](@ref) and
[`TileOps.execute_pointers!`](@ref) take them: named tuples of the first `input` and dimension `dim` that one stands at, and the
`most` that it may be, `typemax(Int)` for any. They are numbered as they stand in the inputs, of each the last dimension first.
Where the operator or the expression makes two of them equal, they are one here.

```jldoctest
julia> x, w = TileOps.TensorSpec(Float32, (8, TileOps.UpTo(512))), TileOps.TensorSpec(Float32, (8,));

julia> plan = Plan(Expression("(x, r, w) -> (x + r) * w"), x, x, x, w);

julia> TileOps.open_sizes(plan)[1]
(input = 1, dim = 2, most = 512)

julia> TileOps.plan_result(plan, 1, 7)
(Float32, (8, 7))

julia> TileOps.plan_at(plan, 7).bytes_moved
704
```
"""
open_sizes(plan::Plan) = [(input=o.input + 1, dim=o.ndims - o.axis, most=o.most) for o in plan.open]

"""
    TileOps.plan_at(plan, extents...)

What an execute of a plan is at these open sizes, in the order of [`TileOps.open_sizes`](@ref); of a plan without any at all. A named
tuple of `phases`, passes over memory; `parts` of a phase that are worth a task each, 0 for plans on CUDA; `way`, which of the
plan's kernels it takes; `workspace_bytes`, never less where no size is less; and `bytes_moved`.

Throws [`TileOpsError`](@ref) for another number of extents, or one beyond its bound.
"""
function plan_at(plan::Plan, extents::Integer...)
    status, facts = facts_at(plan, given_extents("TileOps.plan_at", extents), length(extents))
    check(status)
    (phases=Int(facts.phases), parts=Int(facts.parts), way=Int(facts.way), workspace_bytes=Int(facts.workspace_bytes),
     bytes_moved=Int(facts.bytes_moved))
end

"""
    TileOps.plan_result(plan, k, extents...)

Element type and size of result `k` of a plan, from 1 on, at these open sizes: what array an execute at them wants. Throws as
[`TileOps.plan_at`](@ref), and for a result that the plan does not have.
"""
function plan_result(plan::Plan, k::Integer, extents::Integer...)
    k >= 1 || invalid("TileOps.plan_result: k: is out of range (got $k, need 1 or more)")
    dtype, rank, shape = Ref{DLDataType}(), Ref{Int32}(), Vector{Int64}(undef, 32)
    list = Ref(given_extents("TileOps.plan_result", extents))
    check(with_plan(plan) do p
        ccall(LIB.tileops_plan_result, Int32, (Ptr{Cvoid}, Ref{Extents}, Csize_t, Csize_t, Ref{DLDataType}, Ref{Int32}, Ptr{Int64}),
              p, list, length(extents), k - 1, dtype, rank, shape)
    end)
    described_result(dtype[], rank[], shape)
end

"""
    TileOps.execute_pointers!(plan, extents, outputs, inputs...; stream=C_NULL, workspace=nothing, scalars...)

[`execute!`](@ref) on bare addresses of first elements on the plan's device, `Ptr`s, `C_NULL` for absent operands. Sizes, strides and
element types are the planned ones; open sizes are `extents`, a tuple of integers in the order of [`TileOps.open_sizes`](@ref), `()` for a
plan without any. That the memory is there until the work is done, aligned as its elements are, and that outputs overlap nothing
but an input that they are in place of, is the caller's promise. On CPU the result is there on return; on CUDA the work is
enqueued on `stream`.

```jldoctest
julia> x = TileOps.TensorSpec(Float32, (2, :)); plan = Plan(Expression("(x; s = 1.0) -> x * s"), x, x);

julia> arena = ones(Float32, 64);

julia> GC.@preserve arena TileOps.execute_pointers!(plan, (7,), pointer(arena, 33), pointer(arena); s=3)

julia> count(arena .== 3)
14
```
"""
@inline function execute_pointers!(plan::Plan, extents::Tuple{Vararg{Integer}}, outputs::Union{Ptr,Tuple{Vararg{Ptr}}},
                                   inputs::Vararg{Ptr,N}; stream::Ptr=C_NULL, workspace=nothing, scalars...) where {N}
    given, outs = given_extents("TileOps.execute_pointers!", extents), as_tuple(outputs)
    place, count = Ptr{Cvoid}(stream), length(extents)
    own = plan.workspaces
    status = if workspace !== nothing
        GC.@preserve workspace begin
            data, bytes = given_workspace(own, workspace)
            run_pointers(plan, given, count, outs, inputs, scalars.data, place, data, bytes)
        end
    elseif own === nothing
        run_pointers(plan, given, count, outs, inputs, scalars.data, place, C_NULL, UInt64(0))
    else
        run_pointers(own, plan, given, count, outs, inputs, scalars.data, place)
    end
    check(status)
end

# In a workspace of the plan's, where these extents need one.
@inline function run_pointers(own::Workspaces, plan, extents, count, outs, ins, scalars, stream)
    bytes = own.bytes
    if bytes == AT_EXTENTS
        status, facts = facts_at(plan, extents, count)
        bytes = status == 0 ? Int(facts.workspace_bytes) : 0
    end
    bytes == 0 && return run_pointers(plan, extents, count, outs, ins, scalars, stream, C_NULL, UInt64(0))
    kept = borrow_workspace(own, stream, bytes)
    status = run_pointers(plan, extents, count, outs, ins, scalars, stream, kept.data, UInt64(kept.bytes))
    give_back(own, kept)
    status
end

@inline function run_pointers(plan::Plan, extents::Extents, count, outs::Tuple, ins::Tuple, scalars::NamedTuple, stream, data, bytes)
    addresses = (map(UInt, outs)..., map(UInt, ins)...)
    frame = frame_behind(addresses)
    GC.@preserve plan frame begin
        base = Ptr{UInt}(pointer_from_objref(frame))
        unsafe_store!(Ptr{typeof(addresses)}(base), addresses)
        behind = base + sizeof(addresses)
        unsafe_store!(Ptr{Extents}(behind), extents)
        values = Ptr{CNumber}(behind + sizeof(Extents))
        num_scalars = write_scalars_of(values, plan, scalars)
        args = Ptr{CExecuteArgs}(values + WORD * SCALAR_WORDS)
        pointers = Ptr{Ptr{Cvoid}}(base)
        unsafe_store!(args, CExecuteArgs(sizeof(CExecuteArgs), length(ins) % UInt32, length(outs) % UInt32, num_scalars,
                                         C_NULL, C_NULL, values, stream, data, bytes, pointers + WORD * length(outs), pointers,
                                         count == 0 ? Ptr{Int64}(C_NULL) : Ptr{Int64}(behind), count % UInt32, UInt32(0)))
        p = acquire(plan.handle, Plan)
        s = execute_all(p, args)
        release(plan.handle, Plan)
    end
    s
end

@inline frame_behind(::NTuple{K,UInt}) where {K} = Frame{K + MOST_OPEN + SCALAR_WORDS + sizeof(CExecuteArgs) ÷ WORD}()
