# Executes in parts, on tasks or threads of the caller's.

"""
    TileOps.execute_parts!(pool, plan, outputs, inputs...; workspace=nothing, scalars...)

[`execute!`](@ref) on tasks of the caller's, for plans on the CPU: no thread of the library works, and the results have
the same bits. Once for each phase of the plan, of which most have one, `pool(parts, work)` calls `work(part)` for each
part of `1:parts` once, in any order and on any tasks, and returns when all of them have. There are as many parts as are
worth a task each, 1 where there is little to do. A part that is left out, or runs twice at once, leaves results
undefined.

Throws [`TileOpsError`](@ref), the first one of a phase.

```jldoctest
julia> x = fill(2f0, 512, 512); plan = Plan(Expression("(x) -> x * x"), x, x);

julia> y = TileOps.execute_parts!(plan, similar(x), x) do parts, work
           Threads.@threads for part in 1:parts
               work(part)
           end
       end;

julia> all(y .== 4)
true
```
"""
function execute_parts!(pool, plan::Plan, outputs, inputs...; workspace=nothing, scalars...)
    outs, ins = map(output, as_tuple(outputs)), fitted(plan.limits, map(operand, inputs))
    isempty(outs) && invalid("execute_parts!: outputs: are none")
    with_space(plan, ins, workspace) do data, bytes
        run_phases(pool, plan, outs, ins, scalars.data, data, bytes)
    end
    outputs
end

# One that the plan keeps, unless one is given.
function with_space(f, plan::Plan, ins, ::Nothing)
    own = plan.workspaces
    bytes = own === nothing ? 0 : own.bytes == AT_EXTENTS ? workspace_at(plan, ins) : own.bytes
    bytes == 0 && return f(C_NULL, UInt64(0))
    kept = borrow_workspace(own, C_NULL, bytes)
    f(kept.data, UInt64(kept.bytes))  # where this throws, the workspace is freed as garbage
    give_back(own, kept)
end
function with_space(f, plan::Plan, ins, workspace)
    GC.@preserve workspace f(given_workspace(plan.workspaces, workspace)...)
end

# At least one part: of a plan on another device, and of sizes that the plan refuses, the part says what is wrong.
function phases_and_parts(plan, ins)
    number(prop) = Int(reinterpret(Int32, query(plan, prop))[1])
    isempty(plan.open) && return number(PLAN_NUM_PASSES), max(number(PLAN_NUM_PARTS), 1)
    status, facts = facts_at(plan, extents_in(plan, ins), length(plan.open))
    status == 0 ? (Int(facts.phases), max(Int(facts.parts), 1)) : (1, 1)
end

function run_phases(pool, plan, outs, ins, scalars, data, bytes)
    phases, parts = phases_and_parts(plan, ins)
    for phase in 0:phases-1
        failed = Threads.Atomic{Bool}(false)
        first = Ref{Any}(nothing)
        pool(Int(parts), part -> begin
            try
                1 <= part <= parts || invalid("execute_parts!: part: is out of range (got $part, need 1 to $parts)")
                launch(p, args) = ccall(LIB.tileops_execute_part, Int32, (Ptr{Cvoid}, Ptr{CExecuteArgs}, UInt32, UInt32, UInt32),
                                        p, args, phase, part - 1, parts)
                check(run_with(plan, outs, ins, scalars, C_NULL, data, bytes, launch))
            catch e
                Threads.atomic_xchg!(failed, true) || (first[] = e)
            end
            nothing
        end)
        first[] === nothing || throw(first[])
    end
end
