# What Julia adds to the call of the C library: nanoseconds of one call on tensors of 8 elements, of
# the best of many rounds. Fails where execute! adds more than LIMIT or allocates.
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

# The C function alone, with descriptors made beforehand.
function c_execute(plan, inputs, num_inputs, outputs, num_outputs)
    ccall(R.LIB.tileops_execute, Int32,
          (Ptr{Cvoid}, Ptr{Ptr{R.DLTensor}}, Csize_t, Ptr{Ptr{R.DLTensor}}, Csize_t, Ptr{Cvoid}),
          plan, inputs, num_inputs, outputs, num_outputs, C_NULL)
    nothing
end
run_plan(plan, y, a, b) = (execute!(plan, y, a, b); nothing)
run_call(y, a, b) = (TileOps.add!(y, a, b); nothing)
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
    own - c < LIMIT && allocated == 0
end

exit(main() ? 0 : 1)
