# What Julia adds to the call of the C library: nanoseconds of one call on tensors of 8 elements, of
# the best of many rounds. Fails where execute! adds more than LIMIT, or where one of these calls allocates.
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
attribute!(y, a, s) = (TileOps.leaky_relu!(y, a; negative_slope=s); nothing)
text!(e, y, a, b) = (TileOps.call!(e, y, a, b); nothing)
text(e, a, b) = (e(a, b); nothing)
with_scalar!(plan, y, a, b, s) = (execute!(plan, y, a, b; s=s); nothing)

function layouts!(ys, as)
    for k in 1:length(as)
        fused!(ys[k], as[k], as[k])
    end
end

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
    @printf("TileOps.add!(y, a, b)   %7.1f ns\n", best(run_call, y, a, b))
    @printf("  with an attribute     %7.1f ns\n", best(attribute!, y, a, 0.25))
    @printf("  with another each time %6.1f ns\n", best((y, a) -> attribute!(y, a, rand()), y, a; calls=200))
    @printf("TileOps.add(a, b)       %7.1f ns, with a new array\n", best(run_new, a, b))
    @printf("y .= TileOps.add.(a, b) %7.1f ns\n", best(dotted!, y, a, b))
    half, other = view(a, 1:2:8), view(y, 1:2:8)
    @printf("y .= TileOps.add.(a, b) of views %6.1f ns\n", best(dotted!, other, half, half))
    none = (@allocated(run_call(y, a, b)), @allocated(dotted!(y, a, b)), @allocated(dotted!(other, half, half)), @allocated(attribute!(y, a, 0.25)))
    own - c < LIMIT && allocated == 0 && all(iszero, none) && expressions(a, b, y)
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
        args = Ref(R.CExecuteArgs(sizeof(R.CExecuteArgs), num_inputs, num_outputs, 1, inputs, outputs, pointer(values), C_NULL, C_NULL, 0,
                                   C_NULL, C_NULL, C_NULL, 0, 0))
        GC.@preserve values best(c_execute_with, pointer_of(scalar), args)
    end
    own_scalar = best(fused_scalar!, y, a, b, 2.0)
    allocated_scalar = @allocated fused_scalar!(y, a, b, 2.0)
    @printf("tileops_execute_with a scalar     %7.1f ns\n", c_scalar)
    @printf("y .= TileOps.relu.(a) .* b .+ s   %7.1f ns, %.1f ns over it, %d bytes allocated\n", own_scalar,
            own_scalar - c_scalar, allocated_scalar)
    @printf("execute!(plan, y, a, b; s=2.0)    %7.1f ns, %d bytes allocated\n", best(with_scalar!, scalar, y, a, b, 2.0),
            @allocated with_scalar!(scalar, y, a, b, 2.0))
    e = Expression("(a, b) -> relu(a) * b + a")
    @printf("TileOps.call!(e, y, a, b)         %7.1f ns\n", best(text!, e, y, a, b))
    @printf("e(a, b)                           %7.1f ns, with a new array\n", best(text, e, a, b; calls=1000))
    for n in (8, 64, 512)
        as = [rand(Float32, k) for k in 1:n]
        ys = map(similar, as)
        @printf("y .= TileOps.relu.(a) .* b .+ a   %7.1f ns, of %d layouts in turn\n", best(layouts!, ys, as; calls=20) / n, n)
    end
    allocated == allocated_scalar == 0
end

exit(main() ? 0 : 1)
