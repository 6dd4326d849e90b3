# Lists: many sets of operands by one call.

"""
    TileOps.execute_list!(plan, items; stream=nothing, scalars...)

[`execute!`](@ref) of a plan that was made with `list=true` for many sets of arrays at once, such as all parameters of a model for an
optimiser's step. `items` has a tuple `(outputs, inputs...)` for each, and is what is returned. On CUDA that is one launch for some
hundreds of items; on CPU threads share the work of all. Results have the bits of an `execute!` of each item for itself.

What differs from item to item may be open sizes and the memory; scalars are those of all items, and one that differs is an operand
of one element. Items run in any order and at the same time: none may write what another one reads or writes, which is checked.

Throws [`TileOpsError`](@ref), which names the item, counted from 0.

```jldoctest
julia> x = TileOps.TensorSpec(Float32, (:,)); plan = Plan(Expression("(p, g; lr = 0.5) -> p - lr * g"), x, x, x; list=true);

julia> w, b = Float32[1, 2, 3], Float32[4];

julia> TileOps.execute_list!(plan, [(w, w, Float32[2, 2, 2]), (b, b, Float32[8])]);

julia> w, b
(Float32[0.0, 1.0, 2.0], Float32[0.0])
```
"""
function execute_list!(plan::Plan, items; stream=nothing, scalars...)
    all = [list_item(plan, i - 1, item) for (i, item) in enumerate(items)]
    run_list(plan, all, scalars.data, stream_pointer(stream, isempty(all) ? (nothing,) : all[1].outs))
    items
end

"""
    TileOps.execute_list_pointers!(plan, items; stream=C_NULL, scalars...)

[`TileOps.execute_list!`](@ref) on bare addresses, of which [`TileOps.execute_pointers!`](@ref) says what holds: `items` has a tuple
`(extents, outputs, inputs...)` for each. That no item writes what another one reads or writes is the caller's promise as well.
"""
function execute_list_pointers!(plan::Plan, items; stream::Ptr=C_NULL, scalars...)
    all = [pointer_item(i - 1, item) for (i, item) in enumerate(items)]
    run_list(plan, all, scalars.data, Ptr{Cvoid}(stream))
    items
end

struct ListItem{O<:Tuple,I<:Tuple}
    outs::O
    ins::I
end

struct PointerItem{O<:Tuple,I<:Tuple}
    extents::Extents
    count::Int
    outs::O
    ins::I
end

function list_item(plan, i, item::Tuple{Any,Vararg{Any}})
    outs, ins = map(output, as_tuple(item[1])), fitted(plan.limits, map(operand, Base.tail(item)))
    isempty(outs) && invalid("execute_list!: items[$i]: has no outputs")
    ListItem(outs, ins)
end
list_item(plan, i, item) = invalid("execute_list!: items[$i]: is no tuple of outputs and inputs (got $(typeof(item)))")

pointer_item(i, item::Tuple{Tuple{Vararg{Integer}},Union{Ptr,Tuple{Vararg{Ptr}}},Vararg{Ptr}}) =
    PointerItem(given_extents("TileOps.execute_list_pointers!", item[1]), length(item[1]), as_tuple(item[2]), item[3:end])
pointer_item(i, item) =
    invalid("execute_list_pointers!: items[$i]: is no tuple of extents, outputs and inputs (got $(typeof(item)))")

# Where items need workspaces, these are one of the plan's, one behind the other.
function run_list(plan::Plan, all, scalars, stream)
    spaces = Int[item_space(plan, plan.workspaces, item) for item in all]
    bytes = sum(spaces)
    bytes == 0 && return check(launch_list(plan, all, spaces, scalars, stream, C_NULL))
    kept = borrow_workspace(plan.workspaces, stream, bytes)
    status = launch_list(plan, all, spaces, scalars, stream, kept.data)
    give_back(plan.workspaces, kept)
    check(status)
end

# Bytes, a multiple of the alignment.
item_space(plan, ::Nothing, item) = 0
item_space(plan, own::Workspaces, item) = cld(own.bytes == AT_EXTENTS ? space_at(plan, item) : own.bytes, 64) * 64

space_at(plan, item::ListItem) = workspace_at(plan, item.ins)
function space_at(plan, item::PointerItem)
    status, facts = facts_at(plan, item.extents, item.count)
    status == 0 ? Int(facts.workspace_bytes) : 0
end

const ARGS_WORDS = sizeof(CExecuteArgs) ÷ WORD

# One piece of memory has the scalars, the arguments of all items, and what these point to.
function launch_list(plan::Plan, all, spaces, scalars, stream, space)
    at = SCALAR_WORDS + ARGS_WORDS * length(all)
    frame = Vector{UInt}(undef, at + sum(Int[item_words(item) for item in all]))
    GC.@preserve plan frame all begin
        base = pointer(frame)
        values, args = Ptr{CNumber}(base), Ptr{CExecuteArgs}(base + WORD * SCALAR_WORDS)
        common = (write_scalars_of(values, plan, scalars), values, stream)
        for (i, item) in enumerate(all)
            place = spaces[i] == 0 ? (C_NULL, UInt64(0)) : (space, UInt64(spaces[i]))
            at = write_item(args + (i - 1) * sizeof(CExecuteArgs), base, at, item, common, place)
            space += spaces[i]
            common = (UInt32(0), Ptr{CNumber}(C_NULL), C_NULL)  # what all have in common is the first one's
        end
        p = acquire(plan.handle, Plan)
        status = ccall(LIB.tileops_execute_list, Int32, (Ptr{Cvoid}, Ptr{CExecuteArgs}, Csize_t), p, args, length(all))
        release(plan.handle, Plan)
    end
    status
end

item_words(item::ListItem) = sum(x -> 1 + words(typeof(x)), (item.outs..., item.ins...))
item_words(item::PointerItem) = length(item.outs) + length(item.ins) + MOST_OPEN

# Writes an item from word `at` on, and its arguments; gives the next free word.
function write_item(args, base, at, item::ListItem, (num_scalars, values, stream), (space, bytes))
    operands, outs = (item.outs..., item.ins...), Ptr{Ptr{DLTensor}}(base + WORD * at)
    unsafe_store!(args, CExecuteArgs(sizeof(CExecuteArgs), length(item.ins) % UInt32, length(item.outs) % UInt32, num_scalars,
                                     outs + WORD * length(item.outs), outs, values, stream, space, bytes, C_NULL, C_NULL,
                                     C_NULL, UInt32(0), UInt32(0)))
    fill_frame(base, at, at + length(operands), operands)
end

function write_item(args, base, at, item::PointerItem, (num_scalars, values, stream), (space, bytes))
    addresses, outs = (map(UInt, item.outs)..., map(UInt, item.ins)...), Ptr{Ptr{Cvoid}}(base + WORD * at)
    foreach((k, address) -> unsafe_store!(base, address, at + k), eachindex(addresses), addresses)
    at += length(addresses)
    extents = Ptr{Extents}(base + WORD * at)
    unsafe_store!(extents, item.extents)
    unsafe_store!(args, CExecuteArgs(sizeof(CExecuteArgs), length(item.ins) % UInt32, length(item.outs) % UInt32, num_scalars,
                                     C_NULL, C_NULL, values, stream, space, bytes, outs + WORD * length(item.outs), outs,
                                     item.count == 0 ? Ptr{Int64}(C_NULL) : Ptr{Int64}(extents), item.count % UInt32, UInt32(0)))
    at + MOST_OPEN
end
