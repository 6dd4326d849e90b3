# Functions along dimensions, as functions and in expressions, and plans that need a workspace.
const T = TileOps

# Softmax of columns and of rows, as contrastive losses have them. What one pass over x reduces is taken by the other one.
softmaxes = Expression("""(x; scale = 1.0) -> {
    e = exp(scale * x - detach(amax(scale * x)));
    f = exp(scale * x - detach(amax(scale * x, axis = -2)));
    first = e / sum(e);  second = f / sum(f, axis = -2);  first, second }""")
softmax(x, d) = (e = exp.(x .- maximum(x; dims=d)); e ./ sum(e; dims=d))

wave(dims...; period=7) = reshape([(i % period) / 4 - 1 for i in 0:prod(dims)-1], dims)

message(f) = try f(); "" catch e e isa TileOpsError ? e.message : rethrow() end

@testset "reductions" begin
    x = wave(5, 6, 4)
    for (f, base) in ((T.sum, sum), (T.prod, prod), (T.amax, maximum), (T.amin, minimum), (T.mean, (x; dims) -> sum(x; dims=dims) ./ (length(x) ÷ length(sum(x; dims=dims)))))
        for d in (1, 2, 3, (1, 2), (3, 1), (1, 2, 3))
            @test f(x; dims=d) ≈ base(x; dims=d)
        end
        @test f(x) ≈ base(x; dims=1)
        @test f(x; dims=:) ≈ base(x; dims=(1, 2, 3))
    end
    @test T.any(x .> 0.5; dims=2) == any(x .> 0.5; dims=2) && T.all(x .< 0.5) == all(x .< 0.5; dims=1)
    @test T.var(x; dims=(1, 3), correction=1) ≈ sum(abs2, x .- sum(x; dims=(1, 3)) ./ 20; dims=(1, 3)) ./ 19
    @test T.var(x) ≈ sum(abs2, x .- sum(x; dims=1) ./ 5; dims=1) ./ 5
    @test T.logsumexp(1000 .* x) ≈ log.(sum(exp.(1000 .* x .- maximum(1000 .* x; dims=1)); dims=1)) .+ maximum(1000 .* x; dims=1)
    @test T.sum(Int8[100, 100]) == [200] && T.sum(7.5) === 7.5
    y = zeros(Float32, 1, 6, 4)
    @test T.sum!(y, x) === y && y ≈ sum(x; dims=1)
    @test T.sum!(y, x; context=Context(num_threads=1)) ≈ sum(x; dims=1)
    @test T.sum(view(x, 5:-1:1, :, 2)) ≈ sum(x[:, :, 2]; dims=1)
    @test T.sum(x; dims=Int8(2)) ≈ sum(x; dims=2)
end

@testset "places" begin
    x = wave(5, 6, 4; period=11)
    column_major(x, d) = map(i -> LinearIndices(size(x)[1:maximum(d)])[i], [CartesianIndex(Tuple(argmax(x[:, :, k]))) for k in 1:4])
    @test vec(T.argmax(x; dims=(1, 2))) == column_major(x, (1, 2)) == vec(T.argmax(x; dims=(2, 1)))
    @test T.argmax(x; dims=3)[:, :, 1] == [argmax(x[i, j, :]) for i in 1:5, j in 1:6]
    @test T.argmin(x; dims=:)[1] == LinearIndices(x)[argmin(x)]
    @test T.argmax([1, 5, 9, 2, 7, 3]; group=2) == [2, 1, 1]
    # What was found can be asked for.
    @test T.gather(x, T.argmax(x)) == maximum(x; dims=1)
end

@testset "groups" begin
    x = wave(10, 6)
    @test T.amax(x; group=4) == vcat(maximum(x[1:4, :]; dims=1), maximum(x[5:8, :]; dims=1), maximum(x[9:10, :]; dims=1))
    @test T.sum(x; dims=2, group=3) ≈ hcat(sum(x[:, 1:3]; dims=2), sum(x[:, 4:6]; dims=2))
    tiles = [maximum(x[i:min(i + 3, 10), j:j+1]) for i in 1:4:10, j in 1:2:6]
    @test T.amax(x; group=(4, 2)) == T.amax(x; dims=(2, 1), group=(2, 4)) == tiles
    @test T.spread(tiles, x; group=(4, 2)) == [tiles[cld(i, 4), cld(j, 2)] for i in 1:10, j in 1:6]
    @test T.spread(T.amax(x; dims=2, group=4), x; dims=2, group=4)[:, 6] == maximum(x[:, 5:6]; dims=2)[:]
    @test T.spread(sum(x; dims=1), x) == repeat(sum(x; dims=1), 10)
end

@testset "gather and scatter" begin
    table = reshape(collect(1.0:24.0), 6, 4)
    @test T.gather(table, [4 1 2]; dims=2) == table[:, [4, 1, 2]]
    @test T.gather(table, Int32[6 1 2 3]) == [6.0 7.0 14.0 21.0]
    @test T.gather(table, [2, 6]) == table[[2, 6], :]
    @test T.gather(table, UInt8[2, 6]) == table[[2, 6], :]
    # One index for each dimension, in their order.
    @test T.gather(table, [1, 2, 3], [4, 3, 2]; dims=(1, 2)) == T.gather(table, [4, 3, 2], [1, 2, 3]; dims=(2, 1)) ==
        reshape([table[1, 4], table[2, 3], table[3, 2]], 3, 1)
    outside = T.gather(table, [0, 7, -3, 6]; dims=1)
    @test all(isnan, outside[1:3, :]) && outside[4, :] == table[6, :]
    @test T.gather([1, 2, 3], UInt8[0, 3]) == [0, 3]
    y = zeros(6, 2)
    @test T.scatter!(y, [1.0 2.0; 3.0 4.0; 5.0 6.0], [5, 2, 0]) === y
    @test y == [0 0; 3 4; 0 0; 0 0; 1 2; 0 0]
    count = fill(Int32(9), 4)
    @test T.scatter_add!(count, trues(6), [4, 1, 4, 0, 5, 4]) === count == [1, 0, 0, 3]
    T.gather!(view(y, 1:2, :), table[:, 1:2], [6, 1])
    @test y[1:2, :] == table[[6, 1], 1:2]
end

@testset "tiles" begin
    s = reshape(collect(1.0f0:Float32(6 * 130)), 6, 130)  # K = 6, M = 130
    y = T.tiled(s)
    @test size(y) == (4, 4, 32, 2, 2)
    at(a, b, c, k, m) = (r = 128m + 32b + a; col = 4k + c; r < 130 && col < 6 ? s[col + 1, r + 1] : 0)
    @test all(y[c+1, b+1, a+1, k+1, m+1] == at(a, b, c, k, m) for c in 0:3, b in 0:3, a in 0:31, k in 0:1, m in 0:1)
    @test size(T.tiled(s; rows=8)) == (4, 8, 2, 17) && T.tiled!(similar(y), s) == y
end

# They run where the library can plan them; what they ask for is what a text says.
@testset "scans" begin
    text(name, dims, group, given) = R.text_along(Val(name), 1, dims, group, given)
    @test text(:cumsum, 2, nothing, (reverse=true, exclusive=false)) == "(x0) -> cumsum(x0, axis = -2, reverse = true, exclusive = false)"
    @test string(Expression(text(:cumprod, 1, 4, (reverse=false, exclusive=true)))) ==
        string(Expression("(x0) -> cumprod(x0, group = 4, exclusive = true)"))
    for (f, base) in ((T.cumsum, cumsum), (T.cumprod, cumprod))
        refused = message(() -> f(wave(4, 3)))
        isempty(refused) ? (@test f(wave(4, 3)) ≈ base(wave(4, 3); dims=1)) : @test occursin("not yet", refused)
    end
end

@testset "what is refused" begin
    x = wave(4, 3)
    wrong = [
        (() -> T.sum(x; dims=0)) => "dims: is out of range (got 0, need 1 to 32)",
        (() -> T.sum(x; dims=33)) => "got 33",
        (() -> T.sum(x; dims=(1, 2, 1))) => "dims: 1 is given twice",
        (() -> T.sum(x; dims=())) => "dims: are none",
        (() -> T.sum(x; dims=1.5)) => "dims: is no integer, no tuple of them and not : (got 1.5)",
        (() -> T.sum(x; dims=[1])) => "dims: is no integer",
        (() -> T.sum(x; dims=3)) => "axis",
        (() -> T.sum(x; group=0)) => "group",
        (() -> T.sum(x; group=(2, 2), dims=1)) => "group: has not as many numbers as there are dims (got 2 for 1)",
        (() -> T.sum(x; group=2, dims=:)) => "no groups of all axes",
        (() -> T.sum(x; group="2")) => "group: is no integer",
        (() -> T.var(x; correction=0.5)) => "attribute: is no integer",
        (() -> T.gather(x, [1], [1])) => "dims: are not as many as indices (got 1 for 2)",
        (() -> T.gather(x, [1.0])) => "gather: indices: are no integers (got Float64)",
        (() -> T.scatter!(x, x, [true])) => "scatter: indices: are no integers (got Bool)",
        (() -> T.tiled(x; rows=7)) => "rows",
        (() -> T.sum("x")) => "no array",
        (() -> T.sum!(zeros(2, 3), x)) => "outputs[0]",
    ]
    for (call, part) in wrong
        @test occursin(part, message(call))
    end
end

@testset "rms_norm" begin
    norm = Expression("(x, w; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w")
    x, w, g = wave(64, 9), fill(2.0, 64), wave(64, 9; period=5)
    scale = 1 ./ sqrt.(sum(abs2, x; dims=1) ./ 64 .+ 1e-6)
    @test norm(x, w) ≈ 2 .* x .* scale
    dx, dw = T.gradient(norm, :x, :w)(x, w, g)
    @test dw ≈ vec(sum(g .* x .* scale; dims=2))
    @test dx ≈ 2 .* (g .* scale .- x .* sum(g .* x; dims=1) .* scale .^ 3 ./ 64)
end

@testset "workspaces" begin
    x = wave(10, 6)
    y, z = similar(x), similar(x)
    plan = Plan(softmaxes, (y, z), x)
    bytes = T.plan_info(plan).workspace_bytes
    @test bytes > 0
    right() = (ok = y ≈ softmax(x, 1) && z ≈ softmax(x, 2); fill!(y, 0); fill!(z, 0); ok)
    for _ in 1:3
        @test execute!(plan, (y, z), x) === (y, z) && right()
    end
    @test length(plan.workspaces.free) == 1
    @test execute!(plan, (y, z), x; scale=2)[2] ≈ softmax(2x, 2)
    space = T.workspace(plan)
    @test length(space) == bytes
    for given in (space, T.undefined_tensor(Float64, (bytes, 2)))
        execute!(plan, (y, z), x; workspace=given)
        @test right()
        @test execute!(plan, (y, z), x; workspace=given, scale=3)[1] ≈ softmax(3x, 1)
    end
    @test T.call!(softmaxes, (y, z), x) === (y, z) && right()
    @test T.call!(softmaxes, (y, z), x; context=Context(num_threads=1)) === (y, z) && right()
    @test all(softmaxes(x) .≈ (softmax(x, 1), softmax(x, 2)))

    # The gradient, which needs one too.
    g, h = wave(10, 6; period=5), wave(10, 6; period=11)
    gradient = T.gradient(softmaxes, :x)
    p, q = softmax(x, 1), softmax(x, 2)
    @test T.plan_info(Plan(gradient, y, x, g, h)).workspace_bytes > 0
    @test gradient(x, g, h) ≈ p .* (g .- sum(g .* p; dims=1)) .+ q .* (h .- sum(h .* q; dims=2))

    # Another handle has workspaces of its own; those of a closed plan are gone.
    twin = deepcopy(plan)
    close(plan)
    @test isempty(plan.workspaces.free) && !occursin("open", message(() -> execute!(plan, (y, z), x)))
    @test execute!(twin, (y, z), x) === (y, z) && right()
    close(twin)
end

@testset "wrong workspaces" begin
    x = wave(10, 6)
    plan = Plan(softmaxes, (similar(x), similar(x)), x)
    bytes = T.plan_info(plan).workspace_bytes
    execute(space) = message(() -> execute!(plan, (similar(x), similar(x)), x; workspace=space))
    memory = zeros(UInt8, 2bytes + 64)
    first = 1 + mod(-Int(UInt(pointer(memory)) % 64), 64)  # at a multiple of 64
    @test execute(view(memory, first:first+bytes-1)) == ""
    @test occursin("workspace_bytes: is too small (got $(bytes - 1), need $bytes)", execute(view(memory, first:first+bytes-2)))
    @test occursin("workspace: is not aligned", execute(view(memory, first+1:first+bytes)))
    @test occursin("not dense", execute(view(memory, first:2:first+2bytes-1)))
    large = T.undefined_tensor(UInt8, (bytes,))
    lent = R.ManagedArray(large.owner, large.data, large.size, large.strides, large.device, true)
    @test occursin("read-only", execute(lent))
    @test occursin("workspace: is no array (got Int64)", execute(64))
    elsewhere = R.ManagedArray(large.owner, large.data, large.size, large.strides, R.dl_device((:cuda, 0)), false)
    @test occursin("workspace: is on another device", execute(elsewhere))
    closed = T.workspace(plan)
    close(closed)
    @test occursin("is closed", execute(closed))
    # A plan that needs none takes any.
    plain = Plan(Expression("(x) -> -x"), similar(x), x)
    @test isempty(T.workspace(plain)) && execute!(plain, similar(x), x; workspace=T.workspace(plain)) == -x
    @test occursin("'nope' is none", message(() -> execute!(plan, (similar(x), similar(x)), x; nope=1)))
end

# Each stream and each execute has one of its own; the oldest are freed.
@testset "workspaces by streams" begin
    x = wave(10, 6)
    plan = Plan(softmaxes, (similar(x), similar(x)), x)
    own = plan.workspaces
    stream(k) = Ptr{Cvoid}(64k)
    first = R.borrow_workspace(own, stream(1))
    second = R.borrow_workspace(own, stream(1))
    @test first.data != second.data
    R.give_back(own, first)
    @test R.borrow_workspace(own, stream(2)).data != first.data
    @test R.borrow_workspace(own, stream(1)) === first
    for k in 1:2R.MOST_KEPT
        R.give_back(own, R.borrow_workspace(own, stream(k)))
    end
    @test length(own.free) == R.MOST_KEPT && own.free[1].stream == stream(R.MOST_KEPT + 1)
    @test occursin("cudaStreamPerThread", message(() -> R.borrow_workspace(own, R.STREAM_PER_THREAD)))
    close(plan)
end
