# Plans: made once, executed often, closed.
x, b = rand(Float32, 3, 4), rand(Float32, 3)
y = similar(x)

plan = Plan(:add, y, x, b; alpha=2)
@test isopen(plan) && string(plan) == "TileOps.Plan(:add)"
@test execute!(plan, y, x, b) === y == x .+ 2 .* b
x2, b2, y2 = rand(Float32, 3, 4), rand(Float32, 3), similar(x)
@test execute!(plan, y2, x2, b2) == x2 .+ 2 .* b2
@test execute!(plan, (y2,), x2, b2) === (y2,)

info = TileOps.plan_info(plan)
@test info.num_elements == 12 && info.bytes_moved == 4 * (12 + 3 + 12)
@test info.layout == "broadcast" && occursin("add", info.kernel) && info.origin == "builtin"

@test close(plan) === nothing && close(plan) === nothing
@test !isopen(plan) && string(plan) == "TileOps.Plan(:add, closed)"
@test_throws TileOpsError execute!(plan, y, x, b)
@test_throws TileOpsError TileOps.plan_info(plan)

# Sizes and element types alone are enough.
spec = TileOps.TensorSpec(Float32, (3, 4))
plan = Plan(:neg, spec, spec)
@test execute!(plan, y, x) == -x
transposed = Plan(:neg, spec, TileOps.TensorSpec(Float32, (3, 4), (4, 1)))
@test execute!(transposed, y, Array(x')') == -x
@test_throws TileOpsError execute!(transposed, y, x)
@test eltype(spec) === Float32 && ndims(spec) == 2 && size(spec) == (3, 4)

# Options.
for options in ((reproducible=true,), (jit=false,), (cached=false,))
    @test execute!(Plan(:neg, y, x; options...), y, x) == -x
end
context = Context(num_threads=1, plan_capacity=8, cpu_isa="baseline", cache=:off)
plan = Plan(:exp, y, x; context=context)
close(context)
@test !isopen(context) && string(context) == "TileOps.Context(closed)"
@test occursin("baseline", TileOps.plan_info(plan).kernel)
@test execute!(plan, y, x) ≈ exp.(x)  # a plan outlives its context
@test_throws TileOpsError Plan(:exp, y, x; context=context)
@test_throws TileOpsError TileOps.exp(x; context=context)

# Optional operands that are absent, two outputs.
g = rand(Float32, 6)
half = zeros(Float32, 3)
@test execute!(Plan(:silu_and_mul, half, g), half, g) == TileOps.silu_and_mul(g[1:3], g[4:6])
@test execute!(Plan(:clamp, y, x, nothing, b), y, x, nothing, b) == min.(x, b)
mask = zeros(Bool, 3, 4)
plan = Plan(:dropout, (y, mask), x; p=0.5)
@test execute!(plan, (y, mask), x) === (y, mask) && y == 2 .* x .* mask
