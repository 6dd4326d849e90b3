# Typed calls, calls by name, attributes and their defaults, optional operands.
x = Float32[-2, -0.5, 0, 3]

@test TileOps.leaky_relu(x) == Float32[-0.02, -0.005, 0, 3]
@test TileOps.leaky_relu(x; negative_slope=0.5) == TileOps.call(:leaky_relu, x; negative_slope=0.5) == Float32[-1, -0.25, 0, 3]
@test TileOps.call("leaky_relu", x; negative_slope=1//2) == Float32[-1, -0.25, 0, 3]
@test TileOps.gelu(x; approximate=:tanh) == TileOps.gelu(x; approximate="tanh") != TileOps.gelu(x)
@test TileOps.add([1, 2], [3, 4]; alpha=2) == TileOps.add([1, 2], [3, 4]; alpha=2.0) == [7, 10]

# An attribute stands in for an operand; of both, the operand is taken where the attribute is default.
@test TileOps.clamp(x; min=-1, max=1) == TileOps.clamp(x, -1, 1) == TileOps.clamp(x, fill(-1f0, 4), fill(1f0)) == clamp.(x, -1, 1)
@test TileOps.clamp(x; max=0) == TileOps.clamp(x, nothing, 0) == min.(x, 0)
@test TileOps.pow(x, 2) == TileOps.pow(x; exponent=2) == x .^ 2
@test TileOps.lerp(x, 2x) == 1.5x && TileOps.lerp(x, 2x, 1.0) == 2x && TileOps.lerp(x, 2x, Float32[0, 1, 0, 1]) == Float32[-2, -1, 0, 6]
@test TileOps.masked_fill(x, Array(x .== 0); value=7) == Float32[-2, -0.5, 7, 3]

# Numbers: a result of numbers alone is a number.
@test TileOps.add(1, 2) === 3 && TileOps.exp(0) === 1.0f0 && TileOps.isnan(NaN) === true
@test TileOps.add(x, 1) == x .+ 1 == TileOps.add(1, x)
@test TileOps.where([true, false], 1.5, 0.0) == [1.5, 0.0]

# The dtype of the result may be any, in place as well.
@test TileOps.cast([1.5, -2.5]; dtype=Int8) == Int8[1, -2]
@test TileOps.exp(x; dtype=Float64) isa Vector{Float64}
@test TileOps.exp!(zeros(Float16, 4), x) isa Vector{Float16}
@test TileOps.cast([300.0]; dtype=TileOps.Float8_E5M2, fp8_overflow=:saturate)[1] == TileOps.Float8_E5M2(300)
@test TileOps.cast([1e9]; dtype=TileOps.Float8_E5M2, fp8_overflow=:saturate)[1] == floatmax(TileOps.Float8_E5M2)
@test isinf(TileOps.cast([1e9]; dtype=TileOps.Float8_E5M2)[1])

# Outputs beside the first.
z = rand(Float32, 1000)
y, mask = TileOps.dropout(z; mask=true, p=0.25, seed=7)
@test y == TileOps.dropout(z; p=0.25, seed=7) && mask isa Vector{Bool} && (y .!= 0) == (mask .& (z .!= 0))
@test TileOps.dropout!((similar(z), similar(mask)), z; p=0.25, seed=7) == (y, mask)
@test TileOps.dropout(z; p=0.25, seed=typemax(UInt64)) == TileOps.dropout(z; p=0.25, seed=-1)
@test TileOps.dropout(z; training=false) == z

# Results whose size nothing tells.
@test size(TileOps.alibi((5, 4, 2))) == (5, 4, 2) == size(TileOps.call(:alibi, size=(5, 4, 2)))
@test TileOps.sinusoidal((4, 3); dtype=Float64)[:, 1] == [0, 1, 0, 1]
@test TileOps.alibi((3, 3, 1), Float32[2])[:, :, 1] == -2 * abs.((1:3) .- (1:3)')

# Rotary embedding against its definition: head dimension first, positions along the second.
h = rand(4, 3)
angles = [(s - 1) / 100.0^(i - 1) for i in 1:2, s in 1:3]
@test TileOps.rope_neox(h; base=10000, seq_axis=2) ≈
    [h[1:2, :] .* cos.(angles) .- h[3:4, :] .* sin.(angles); h[3:4, :] .* cos.(angles) .+ h[1:2, :] .* sin.(angles)]
@test TileOps.rope_neox(h) == TileOps.rope_neox(h; seq_axis=2)

# A call of its own context, and nothing but documented functions' effect on the arguments.
context = Context(num_threads=1)
w = copy(x)
@test TileOps.neg(x; context=context) == -x && x == w
@test TileOps.neg!(similar(x), x; context=context) == -x
before = TileOps.cache_stats(context)
TileOps.neg(x; context=context)
after = TileOps.cache_stats(context)
@test after.plan_hits == before.plan_hits + 1 && after.plan_misses == before.plan_misses  # the plan is kept
close(context)

# Numbers of any kind, masks that a comparison made.
@test TileOps.mul(Float32[1, 2], pi) == Float32[1, 2] .* Float32(pi) && TileOps.add([0.5], 1//2) == [1.0]
@test TileOps.exp(1//2) === exp(0.5) && TileOps.leaky_relu([-1.0]; negative_slope=1//2) == [-0.5]
@test TileOps.mul.(Float32[1, 2], pi) == TileOps.mul(Float32[1, 2], pi)
@test TileOps.where(x .> 0, x, 0) == max.(x, 0) && TileOps.logical_not(x .> 0) == Array(x .<= 0)
@test TileOps.logical_not(x .> 0) isa Vector{Bool}

# Fractions do not vanish in integers.
@test TileOps.round!(zeros(Int, 4), Float32[1.2, 2.7, -3.5, 0]) == [1, 3, -4, 0]
@test_throws InexactError TileOps.exp!(zeros(Int, 4), x)
@test_throws InexactError TileOps.call!(:div, zeros(Int, 1), [1], [2])
@test TileOps.cast!(zeros(Int, 4), x) == [-2, 0, 0, 3] && TileOps.div!(zeros(Int, 1), [7], [2]; rounding=:floor) == [3]
