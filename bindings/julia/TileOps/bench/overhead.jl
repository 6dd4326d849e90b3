# What Julia adds to the call of the C library: nanoseconds of one call on tensors of 8 elements, of
# the best of many rounds. Fails where execute! or a dotted expression adds more than LIMIT or allocates.
using Printf
using TileOps

const R = TileOps.Runtime
const LIMIT = 100.0  # ns

function best(f::F, args...; calls=10_000, rounds=50) where {F}
    f(args...)
    minimum(1:rounds) do _
        start = time_ns()
        for _ in 1:calls
            f(args...)
        end
        (time_ns() - start) / calls
    end
end

# The C functions alone, with descriptors made beforehand.
function c_execute_with(plan, args)
    ccall(R.LIB.tileops_execute_with, Int32, (Ptr{Cvoid}, Ref{R.CExecuteArgs}), plan, args)
    nothing
end

function c_execute(plan, inputs, num_inputs, outputs, num_outputs)
    ccall(R.LIB.tileops_execute, Int32,
          (Ptr{Cvoid}, Ptr{Ptr{R.DLTensor}}, Csize_t, Ptr{Ptr{R.DLTensor}}, Csize_t, Ptr{Cvoid}),
          plan, inputs, num_inputs, outputs, num_outputs, C_NULL)
    nothing
end
run_plan(plan, y, a, b) = (execute!(plan, y, a, b); nothing)
run_call(y, a, b) = (TileOps.add!(y, a, b); nothing)
dotted!(y, a, b) = (y .= TileOps.add.(a, b); nothing)
fused!(y, a, b) = (y .= TileOps.relu.(a) .* b .+ a; nothing)
fused_scalar!(y, a, b, s) = (y .= TileOps.relu.(a) .* b .+ s; nothing)
run_new(a, b) = (TileOps.add(a, b); nothing)

function main()
    a, b, y = rand(Float32, 8), rand(Float32, 8), zeros(Float32, 8)
    plan = Plan(:add, y, a, b)
    c = R.with_tensors((y,), (a, b)) do inputs, num_inputs, outputs, num_outputs
        best(c_execute, Ptr{Cvoid}(plan.handle.pointer[]), inputs, num_inputs, outputs, num_outputs)
    end
    own = best(run_plan, plan, y, a, b)
    allocated = @allocated run_plan(plan, y, a, b)
    @printf("tileops_execute         %7.1f ns\n", c)
    @printf("execute!(plan, y, a, b) %7.1f ns, %.1f ns over it, %d bytes allocated\n", own, own - c, allocated)
    @printf("TileOps.add!(y, a, b)   %7.1f ns, plan looked up in the library\n", best(run_call, y, a, b))
    @printf("TileOps.add(a, b)       %7.1f ns, with a new array\n", best(run_new, a, b))
    @printf("y .= TileOps.add.(a, b) %7.1f ns\n", best(dotted!, y, a, b))
    own - c < LIMIT && allocated == 0 && expressions(a, b, y)
end

pointer_of(plan) = Ptr{Cvoid}(plan.handle.pointer[])

function expressions(a, b, y)
    plan = Plan(Expression("(a, b) -> relu(a) * b + a"), y, a, b)
    c = R.with_tensors((y,), (a, b)) do inputs, num_inputs, outputs, num_outputs
        best(c_execute, pointer_of(plan), inputs, num_inputs, outputs, num_outputs)
    end
    own = best(fused!, y, a, b)
    allocated = @allocated fused!(y, a, b)
    @printf("tileops_execute of an expression  %7.1f ns\n", c)
    @printf("y .= TileOps.relu.(a) .* b .+ a   %7.1f ns, %.1f ns over it, %d bytes allocated\n", own, own - c, allocated)

    scalar = Plan(Expression("(a, b; s = 1.0) -> relu(a) * b + s"), y, a, b)
    values = [R.c_number(2.0)]
    c_scalar = R.with_tensors((y,), (a, b)) do inputs, num_inputs, outputs, num_outputs
        args = Ref(R.CExecuteArgs(sizeof(R.CExecuteArgs), num_inputs, num_outputs, 1, inputs, outputs, pointer(values), C_NULL, C_NULL, 0))
        GC.@preserve values best(c_execute_with, pointer_of(scalar), args)
    end
    own_scalar = best(fused_scalar!, y, a, b, 2.0)
    allocated_scalar = @allocated fused_scalar!(y, a, b, 2.0)
    @printf("tileops_execute_with a scalar     %7.1f ns\n", c_scalar)
    @printf("y .= TileOps.relu.(a) .* b .+ s   %7.1f ns, %.1f ns over it, %d bytes allocated\n", own_scalar,
            own_scalar - c_scalar, allocated_scalar)
    allocated == allocated_scalar == 0
end

exit(main() ? 0 : 1)
