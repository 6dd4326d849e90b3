# A dotted expression of the library's functions and Base's is one kernel: the same text, compiled once, for all values.

const T = TileOps

# The texts of the expressions that dotted calls keep.
texts() = sort!([string(entry.value) for site in R.SITES for entry in site.newest if entry.value isa Expression])
# What is kept after f, and its value.
function kept(f)
    R.forget_sites()
    value = f()
    value, texts()
end
counters() = (s = T.cache_stats(); s.plan_hits + s.plan_misses)

g, u, r = (randn(Float32, 4, 3) for _ in 1:3)
silu(x) = x ./ (1 .+ exp.(-x))

@testset "one kernel" begin
    y = similar(g)
    @test kept(() -> y .= T.silu.(g) .* u .+ r) == (y, ["(x1, x2, x3) -> silu(x1) * x2 + x3"])
    @test y ≈ silu(g) .* u .+ r
    @test kept(() -> @. y = T.silu(g) * u + r)[2] == ["(x1, x2, x3) -> silu(x1) * x2 + x3"]
    z, list = kept(() -> T.silu.(g) .* u .+ r)
    @test z == y && list == ["(x1, x2, x3) -> silu(x1) * x2 + x3"]
    # Base's operators inside and outside, and calls of more than two arguments.
    z, list = kept(() -> @. 1 + T.relu(g + u + r) * max(g, u, r))
    @test z ≈ 1 .+ max.(g .+ u .+ r, 0) .* max.(g, u, r) && length(list) == 1
    # An array that comes twice is one operand.
    @test kept(() -> g .* T.sigmoid.(g) .- g)[2] == ["(x1) -> x1 * sigmoid(x1) - x1"]
    # Attributes: choices are part of the text, floats are not.
    @test kept(() -> T.gelu.(g; approximate=:tanh) .* T.leaky_relu.(u; negative_slope=0.2))[2] ==
        ["(x1, x2; s1 = 0.0) -> gelu(x1, approximate = tanh) * leaky_relu(x2, negative_slope = s1)"]
    @test (T.clamp.(g, nothing, 0.5) .+ 1) ≈ min.(g, 0.5f0) .+ 1
    @test (T.clamp.(g; max=0.5) .+ 1) ≈ min.(g, 0.5f0) .+ 1
    @test (T.exp.(g; dtype=Float16) .+ 0) isa Matrix{Float16}
end

scaled!(y, g, u, s) = @. y = T.silu(g) * u * s + 2
@testset "numbers are scalars" begin
    y = similar(g)
    R.forget_sites()
    scaled!(y, g, u, 1.5)
    before = counters()
    for s in (2.5, -1.0, 1e-3)
        @test scaled!(y, g, u, s) ≈ silu(g) .* u .* Float32(s) .+ 2
    end
    @test counters() == before  # no plan is made, nor looked up
    @test texts() == ["(x1, x2; s1 = 0.0, s2 = 0) -> silu(x1) * x2 * s1 + s2"]
    scaled!(y, g, u, 3)
    @test texts()[1] == "(x1, x2; s1 = 0, s2 = 0) -> silu(x1) * x2 * s1 + s2"
    # Integers stay exact, numbers do not raise the type of arrays, those of a higher category do.
    i = [2^53 + 1, -7, 0]
    @test T.abs.(i) .+ 1 == [2^53 + 2, 8, 1] && (T.abs.(i) .+ 1) isa Vector{Int}
    @test (T.abs.(Int8[1, 2]) .+ 1) isa Vector{Int8} && (T.relu.(g) .+ 1.0 .+ pi .+ 1 // 2 .+ big(1)) isa Matrix{Float32}
    @test T.abs.(i) .* 1.5 == abs.(i) .* 1.5 && (T.abs.(i) .* 1.5) isa Vector{Float64}
    @test (T.abs.(i) .* 1.5f0) isa Vector{Float32}
    @test_throws TileOpsError T.abs.(UInt8[1]) .+ 300
    # Exponents that are literals select a body.
    @test kept(() -> T.relu.(g) .^ 2)[2] == ["(x1) -> relu(x1) ** 2"]
    @test kept(() -> @. T.relu(g)^-1 + abs2(u))[2] == ["(x1, x2) -> relu(x1) ** -1 + x2 ** 2"]
    n = 3
    @test kept(() -> T.relu.(g) .^ n)[2] == ["(x1; s1 = 0) -> relu(x1) ** s1"]
    @test T.relu.(g) .^ n ≈ max.(g, 0) .^ 3
    s = 0.25  # numbers alone are Julia's
    @test kept(() -> @. T.relu(g) * (1 - s) + T.exp(s))[2] == ["(x1; s1 = 0.0, s2 = 0.0) -> relu(x1) * s1 + s2"]
    # 0-d arrays are operands, references are not.
    @test (T.relu.(g) .+ fill(1f0)) == max.(g, 0) .+ 1 && (T.relu.(g) .* Ref(2)) == max.(g, 0) .* 2
end

@testset "Base's functions" begin
    x, i, b = randn(10), rand(1:5, 10), rand(Bool, 10)
    one_kernel(f) = (v = kept(f); length(v[2]) == 1 ? v[1] : error("not one kernel: $(v[2])"))
    for (f, args) in ((+, (x, x)), (-, (x, 2x)), (*, (x, i)), (/, (i, i)), (/, (x, i)), (^, (abs.(x), x)), (-, (x,)), (mod, (x, 2x)),
                      (fld, (i, 2)), (div, (-i, 2)), (div, (x, 0.3)), (max, (x, 0)), (min, (i, 2)), (abs, (x,)), (sign, (x,)),
                      (inv, (i,)), (floor, (x,)), (ceil, (x,)), (trunc, (x,)), (round, (x,)), (exp, (i,)), (exp2, (x,)),
                      (expm1, (x,)), (log, (abs.(x),)), (log2, (i,)), (log1p, (i,)), (sqrt, (i,)), (sin, (x,)), (cos, (x,)),
                      (tan, (x,)), (atan, (i,)), (atan, (x, 2x)), (sinh, (x,)), (cosh, (i,)), (asinh, (x,)), (log10, (i,)), (cbrt, (x,)),
                      (sinc, (x,)), (hypot, (x, 2x)), (copysign, (x, -x)), (rem, (x, 2x)),
                      (tanh, (x,)), (fma, (x, x, x)), (muladd, (x, 2, x)), (clamp, (x, -0.5, 0.5)), (ifelse, (b, x, 0.0)),
                      (==, (i, 2)), (!=, (i, 2)), (<, (x, 0)), (<=, (i, 3)), (>, (x, 0)), (>=, (i, 3)), (&, (i, 3)), (|, (i, i)),
                      (xor, (i, 5)), (~, (i,)), (!, (b,)), (isnan, (x,)), (isinf, (x,)), (isfinite, (x,)), (+, (b, b)), (-, (b,)),
                      (+, (b, 1)), (abs2, (x,)), (identity, (x,)), (+, (x,)), (abs2, (i,)), (^, (i, 2)), (/, (b, i)))
        expected = f.(args...)
        # A function of the library inside makes it an expression.
        got = one_kernel() do
            length(args) == 1 ? f.(T.where.(true, args[1], args[1])) :
            length(args) == 2 ? f.(T.where.(true, args[1], args[1]), args[2]) :
            f.(T.where.(true, args[1], args[1]), args[2], args[3])
        end
        same = eltype(got) === eltype(expected) && got ≈ expected
        same || println("$f: ", got, " instead of ", expected)
        @test same
    end
    @test kept(() -> Float16.(T.relu.(x) .+ 1))[2] == ["(x1; s1 = 0) -> cast(relu(x1) + s1, f16)"]
    @test T.BFloat16.(T.relu.(x)) isa Vector{T.BFloat16}
    @test (T.relu.(x) .^ 2 .+ x .^ 3) ≈ max.(x, 0) .^ 2 .+ x .^ 3
    @test (T.abs.(i) .^ -1) ≈ i .^ -1.0
    @test T.exp2.(x) ≈ exp2.(x) && T.log2(i) ≈ log2.(i) && T.exp2(3) === 8f0 && T.fma.(x, 2, x) ≈ 3x
    mask = T.dropout_mask.(x; p=0.5, seed=7)
    @test mask isa Vector{Bool} && T.where.(mask, x ./ 0.5, 0) == T.dropout(x; p=0.5, seed=7)
    @test kept(() -> [T.where.(T.dropout_mask.(x; p=p, seed=k), x, 0) for (p, k) in ((0.1, 1), (0.2, 2))])[2] ==
        ["(x1; s1 = 0.0, s2 = 0, s3 = 0) -> where(dropout_mask(x1, p = s1, seed = s2), x1, s3)"]
end

@testset "what the library has not" begin
    x = randn(Float32, 6)
    twice(v) = 2v
    @test twice.(T.relu.(x) .+ 1) == 2 .* (max.(x, 0) .+ 1)
    @test T.relu.(twice.(x)) .+ 1 == max.(2x, 0) .+ 1
    @test T.relu.(x) .+ twice.(T.neg.(x) .* 3) .* 2 ≈ max.(x, 0) .- 12x
    @test rem.(T.relu.(x), 0.5f0) == rem.(max.(x, 0), 0.5f0)
    z = complex.(x, 1)
    @test T.relu.(x) .* z == max.(x, 0) .* z
    @test_throws TileOpsError T.relu.(z) .* x
    @test_throws TileOpsError T.relu.(["a"]) .* x[1:1]
    @test T.relu.(x) .+ big.(x) isa Vector{BigFloat}
    @test string.(T.relu.([1f0])) == ["1.0"]
    @test Int.(T.round.([1.2, 2.7]) .* 2) == [2, 6]
    @test_throws InexactError Int.(T.relu.([0.5]) .+ 1)
    @test_throws TypeError ifelse.(T.relu.(x), x, x)
    @test_throws TileOpsError T.gelu.(x; approximate=:sine) .+ 1
    @test_throws TileOpsError T.gelu.(x; approximat=:tanh) .+ 1
    @test_throws TileOpsError T.bitwise_not.(x) .+ 1
    @test_throws DimensionMismatch T.relu.(x) .+ rand(5)
    # The dtype of this one depends on a value.
    @test T.div.([7, 8], 2; rounding=:floor) .+ 1 == [4, 5]
    # More than an expression may have is done in parts.
    many = [rand(Float32, 3) for _ in 1:40]
    sum_of = Base.Broadcast.broadcasted(T.neg, many[1])
    for a in many
        sum_of = Base.Broadcast.broadcasted(+, sum_of, a)
    end
    @test Base.Broadcast.materialize(sum_of) ≈ sum(many) .- many[1]
end

@testset "operands" begin
    y = zeros(Float32, 4, 3)
    column, row = rand(Float32, 4), rand(Float32, 1, 3)
    @test T.relu.(g) .* column .+ row ≈ max.(g, 0) .* column .+ row
    @test T.neg.(column) .* row ≈ -column .* row
    large = randn(Float32, 9, 8)
    v, w, t = view(large, 1:2:7, 2:4), view(large, 8:-1:5, 8:-3:2), transpose(randn(Float32, 3, 4))
    @test T.relu.(v) .* w .+ t ≈ max.(v, 0) .* w .+ t
    out = zeros(Float32, 8, 6)
    view(out, 1:2:8, 1:2:6) .= T.relu.(v) .+ 1
    @test out[1:2:8, 1:2:6] == max.(v, 0) .+ 1 && all(iszero, out[2:2:8, :])
    @test T.abs.(1:3) .+ (1, 2, 3) == [2, 4, 6]
    @test T.relu.(g) .* PermutedDimsArray(randn(Float32, 3, 4), (2, 1)) isa Matrix{Float32}
    @test size(T.relu.(zeros(Float32, 0, 3)) .+ 1) == (0, 3)
    for S in (Float16, Float32, Float64, T.BFloat16)
        a, b = S.(randn(20)), S.(randn(20))
        value = T.silu.(a) .* b .+ 1
        @test value isa Vector{S}
        @test isapprox(Float64.(value), silu(Float64.(a)) .* Float64.(b) .+ 1; rtol=4 * Float64(eps(S)))
    end
    @test T.relu.(Float16[1]) .* T.BFloat16[2] isa Vector{Float32}
    @test T.add.(Int32[1 2], Int16[1 2]) .+ UInt8[1] isa Matrix{Int32}
end

@testset "in place" begin
    x = copy(g)
    @test kept(() -> x .= T.silu.(x) .* u .+ x)[2] == ["(x1, x2) -> silu(x1) * x2 + x1"]
    @test x ≈ silu(g) .* u .+ g
    x = copy(g)
    x .+= T.relu.(u)
    @test x == g .+ max.(u, 0)
    # An operand that overlaps otherwise is copied first.
    v = collect(1.0:6.0)
    v[2:6] .= T.neg.(view(v, 1:5)) .* 2
    @test v == [1.0, -2, -4, -6, -8, -10]
    s = randn(3, 3)
    expected = max.(s, 0) .+ s'
    s .= T.relu.(s) .+ s'
    @test s == expected
    # Another column of the same array is not.
    m = randn(5, 2)
    expected = max.(m[:, 1], 0) .+ 1
    before = counters()
    m[:, 2] .= T.relu.(view(m, :, 1)) .+ 1
    @test m[:, 2] == expected && counters() == before + 1
    # Other element types: converted once, and not where values would be lost.
    h = zeros(Float16, 4, 3)
    @test (h .= T.silu.(g) .* u) == Float16.(silu(Float64.(g)) .* u)
    d = zeros(4, 3)
    @test (d .= T.relu.(g) .+ 1) ≈ max.(g, 0) .+ 1
    whole = zeros(Int, 3)
    whole .= T.round.([1.2, 2.7, 3.5]) .* 2
    @test whole == [2, 6, 8]
    @test_throws InexactError whole .= T.relu.([0.5, 1, 2]) .+ 0
    @test_throws InexactError zeros(Int8, 1) .= T.abs.([300]) .+ 1
    bits = falses(4, 3)
    @test (bits .= T.relu.(g) .> 0.5) == (g .> 0.5)
    rows = zeros(Float32, 4, 5)
    rows .= T.relu.(view(g, :, 1)) .+ 1
    @test rows == repeat(max.(g[:, 1], 0) .+ 1, 1, 5)
    @test_throws DimensionMismatch rows .= T.relu.(g) .+ 1
end

adam(p, g, m, v, lr, b) = @. p - lr * (m * b + g * (1 - b)) / (sqrt(v) + 1f-8) + abs2(T.tanh(g)) * clamp(m, -1, 1) * (v > 0)
halves(x, i) = Float16.(T.relu.(x) .+ i ./ 2)
with_attributes(x) = T.gelu.(x; approximate=:tanh) .+ T.elu.(x; alpha=0.5)
outer(x) = sum(hypot.(T.relu.(x), 1))
@testset "type stability" begin
    v = abs.(u)
    @test (@inferred adam(g, u, r, v, 0.1, 0.9)) isa Matrix{Float32}
    @test adam(g, u, r, v, 0.1, 0.9) ≈
        g .- 0.1f0 .* (r .* 0.9f0 .+ u .* 0.1f0) ./ (sqrt.(v) .+ 1f-8) .+ tanh.(u) .^ 2 .* clamp.(r, -1, 1) .* (v .> 0)
    @test (@inferred halves(g, [1 2 3])) isa Matrix{Float16}
    @test (@inferred with_attributes(g)) isa Matrix{Float32}
    @test (@inferred outer(g)) isa Float32
    @test (@inferred scaled!(similar(g), g, u, 2)) isa Matrix{Float32}
end

# Of each kind of element type one: each takes seconds.
@testset "type stability of $S" for S in (Int8, UInt32, Bool, T.BFloat16)
    x, b = S[1 0; 1 1], [true false; true true]
    for f in ((x, b) -> T.abs.(x) .* x .+ x, (x, b) -> T.abs.(x) .+ 1, (x, b) -> T.abs.(x) .* 1.5, (x, b) -> T.abs.(x) ./ x,
              (x, b) -> T.where.(b, x, x) .+ x, (x, b) -> T.add.(x, x) .+ b, (x, b) -> T.mul.(x, true) .* x, (x, b) -> T.gt.(x, 0) .| b,
              (x, b) -> .!T.logical_not.(x) .& b, (x, b) -> ifelse.(T.eq.(x, 1), x, 0) .+ b, (x, b) -> T.abs.(x) .^ 2 .+ 1,
              (x, b) -> T.masked_fill.(x, b, 1) .+ x, (x, b) -> exp.(T.abs.(x)) .+ 1, (x, b) -> T.where.(b, 1, 0) .+ x,
              (x, b) -> (T.add.(x, 1) .+ x) .> 2, (x, b) -> T.maximum.(x, x) .* 0.5f0 .+ b)
        types = Base.return_types(f, (typeof(x), typeof(b)))
        @test length(types) == 1 && isconcretetype(types[1]) && f(x, b) isa types[1]
    end
end

@testset "tasks and layouts" begin
    matrices = [randn(Float32, n, 2) for n in 1:40]
    outs = Vector{Any}(undef, 40)
    Threads.@threads for n in 1:40
        outs[n] = scaled!(similar(matrices[n]), matrices[n], matrices[n], n)
    end
    @test all(n -> outs[n] ≈ silu(matrices[n]) .* matrices[n] .* n .+ 2, 1:40)
    @test all(site -> length(site.newest) <= R.NEWEST, R.SITES)
    # All of them are known the second time.
    before = counters()
    foreach(m -> scaled!(similar(m), m, m, 2), matrices)
    @test counters() == before
    T.clear_cache!()
    @test isempty(R.SITES) && scaled!(similar(g), g, u, 1) ≈ silu(g) .* u .+ 2
end
