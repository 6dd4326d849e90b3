# f.(x): one kernel for an operator over whole arrays, with Julia's meaning.

# How often the library made or looked up a plan where none is kept: the number of kernels run.
function kernels(f)
    R.forget_sites()
    total() = (s = TileOps.cache_stats(); s.plan_hits + s.plan_misses)
    before = total()
    value = f()
    value, total() - before
end

x, row = rand(Float32, 3, 4), rand(Float32, 1, 4)
gelu, add = TileOps.gelu, TileOps.add

@test kernels(() -> gelu.(x)) == (gelu(x), 1)
@test kernels(() -> add.(x, row)) == (x .+ row, 1)
@test kernels(() -> add.(x, 1)) == (x .+ 1, 1)
@test kernels(() -> gelu.(x; approximate=:tanh)) == (gelu(x; approximate=:tanh), 1)
@test kernels(() -> gelu.(x; dtype=Float64)) == (gelu(x; dtype=Float64), 1)
@test kernels(() -> 1 .+ add.(gelu.(x), 2 .* x) .* 3)[2] == 1  # see fusion_test.jl
@test kernels(() -> TileOps.where.(x .> 0.5, x, 0)) == (ifelse.(x .> 0.5, x, 0f0), 1)
@test kernels(() -> sqrt.(TileOps.mul.(x, x)))[2] == 1

@testset "in place" begin
    y = zeros(Float32, 3, 4)
    @test kernels(() -> y .= gelu.(x)) == (gelu(x), 1)
    @test y == gelu(x)
    y .= gelu.(x) .+ 1
    @test y == gelu(x) .+ 1
    y .= gelu.(view(x, :, 1))  # a column, repeated
    @test y == repeat(gelu(x[:, 1]), 1, 4)
    y[:, 1:2] .= TileOps.neg.(view(x, :, 2:3))
    @test y[:, 1:2] == -x[:, 2:3]
    z = copy(x)
    z .= TileOps.neg.(z)
    @test z == -x
    v = collect(1.0:6.0)
    v[2:6] .= TileOps.neg.(view(v, 1:5))  # overlapping, as if there was a copy
    @test v == [1.0, -1, -2, -3, -4, -5]
    w = zeros(Int, 3)
    w .= TileOps.round.([1.2, 2.7, 3.5])
    @test w == [1, 3, 4]
    @test_throws InexactError w .= TileOps.exp.([1.0, 2.0, 3.0])
    @test_throws DimensionMismatch y .= gelu.(rand(Float32, 2, 4))
    bits = falses(3, 4)
    bits .= TileOps.gt.(x, 0.5)
    @test bits == (x .> 0.5)
end

@testset "operands without memory" begin
    @test TileOps.neg.(1:3) == [-1, -2, -3]
    @test TileOps.logical_not.(BitArray([true, false])) == [false, true]
    @test TileOps.add.([1, 2], (10, 20)) == [11, 22]
    @test TileOps.add.([1, 2], Ref(1)) == [2, 3]
    @test TileOps.add.(1, 2) === 3 && gelu.(0.0; approximate=:tanh) === 0.0
end

@test_throws DimensionMismatch add.(rand(2), rand(3))
@test_throws TileOpsError gelu.([1, 2])
@test_throws TileOpsError gelu.(x; approximat=:tanh)

# A dot would call these with each element alone: each its own mean.
@testset "functions of whole arrays" begin
    refusal(f) = try f(); "" catch e e isa TileOpsError ? e.message : rethrow() end
    softmax = TileOps.named(:softmax)
    halves = Expression("(x; s = 0.5) -> x * s")
    for (f, name) in ((TileOps.mean, "mean"), (TileOps.sum, "sum"), (TileOps.argmax, "argmax"), (TileOps.cumsum, "cumsum"), (TileOps.silu_and_mul, "silu_and_mul"))
        for dotted in (() -> f.(x), () -> f.(Float32[]), () -> f.(gelu.(x)), () -> f.(x .+ 1), () -> (y = zeros(3, 4); y .= f.(x) .+ 1), () -> broadcast(f, x))
            @test occursin("TileOps.$name(x), or TileOps.$(name)!(y, x)", refusal(dotted))
        end
    end
    @test occursin("need TileOps.mean(x)", refusal(() -> TileOps.mean.(x; dims=2)))
    @test occursin("need TileOps.gather(x)", refusal(() -> TileOps.gather.(x, [1, 2, 3])))
    for e in (softmax, halves), dotted in (() -> e.(x), () -> e.((1.0, 2.0)), () -> gelu.(e.(x)))
        @test occursin("need e(x), or TileOps.call!(e, y, x)", refusal(dotted))
    end
    @test occursin("need e(x)", refusal(() -> halves.(x; s=2.0)))
    # Where the elements are arrays each is called with one; numbers alone have nothing to take apart.
    @test TileOps.mean.([x, row]) == [TileOps.mean(x), TileOps.mean(row)]
    @test TileOps.mean.([x, row]; dims=2) == [TileOps.mean(x; dims=2), TileOps.mean(row; dims=2)]
    @test softmax.((x, row)) == (softmax(x), softmax(row))
    @test halves.([x, row]; s=2.0) == [2x, 2row]
    @test TileOps.gather.(Ref([5.0, 6.0]), [[1], [2, 1]]) == [[5.0], [6.0, 5.0]]
    @test TileOps.sum.(7.5) == 7.5
end
