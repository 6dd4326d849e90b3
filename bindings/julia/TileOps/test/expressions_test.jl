# Expressions by their texts and names: parsing, description, plans, calls, inference, gradients, errors.

text = "(g, u, r; scale = 1.0) -> silu(g) * u * scale + r"
e = Expression(text)
g, u, r = (rand(Float32, 5, 3) for _ in 1:3)
gated(scale) = TileOps.silu(g) .* u .* scale .+ r

@testset "text and description" begin
    @test string(e) == text && sprint(print, e) == text && sprint(show, e) == "Expression(\"$text\")"
    same = Expression("(g,u,r;scale=1.0)->{a=silu(g); (a*u)*scale+r}")
    @test same == e && hash(same) == hash(e) && isequal(Expression(string(same)), e)
    @test e != Expression("(g, u, r; scale = 1.0) -> silu(g) * u + r * scale")
    info = TileOps.expression_info(Expression("(x, w = 2, m = true; eps = 1e-6, n = 3) -> { h = x * w; h / (eps * n), where(m, h, 0) }"))
    @test info.operands == [(name=:x, default=nothing), (name=:w, default=2), (name=:m, default=true)]
    @test info.scalars == [(name=:eps, default=1e-6), (name=:n, default=3)]
    @test info.results == [:y0, :y1] && info.num_nodes == 3 && info.num_host_nodes == 1
    @test deepcopy(e) === e
end

@testset "nodes" begin
    e = Expression("(x; s = 2) -> { a = silu(x) + 2.5; a, sum(a * s, axis = -2) }")
    list = TileOps.nodes(e)
    @test [n.name for n in list] == [:x, :silu, :constant, :add, :s, :mul, :sum]
    @test [n.arguments for n in list] == [[], [1], [], [2, 3], [], [4, 5], [6]]
    @test list[3].value == 2.5 && list[7].attributes == Dict(:axis => 2) && TileOps.result_nodes(e) == [4, 7]
    for row in TileOps.named_expressions()
        e = TileOps.named(row.name)
        list, info = TileOps.nodes(e), TileOps.expression_info(e)
        @test count(n -> n.kind === :function, list) == info.num_nodes + info.num_host_nodes
        @test all(all(<(i), list[i].arguments) for i in eachindex(list))
    end
end

@testset "names" begin
    rows = TileOps.named_expressions()
    @test length(rows) > 30
    @test all(TileOps.named(row.name) == Expression(row.text) && !isempty(row.doc) for row in rows)
    swiglu = TileOps.named("swiglu_residual")
    @test swiglu(g, u, r) ≈ gated(1)
    error = try TileOps.named(:no_such) catch err err end
    @test error isa TileOpsError && error.status == R.STATUS_INVALID_ARGUMENT && error.argument == "name"
    @test error.message == "tileops_expr_named: name: there is no expression 'no_such'"
    @test_throws TileOpsError TileOps.named("adamw\0")
end

norm, own = TileOps.named(:add_rms_norm), Expression("(a, b = 2; s = 1.0) -> a * b + s")

@testset "parts of others" begin
    built = TileOps.build(:x, :r, :w => 1; eps=1e-5) do x, r, w, eps
        y, h = norm(x, r, w; eps=eps)
        (y=own(y, 3), h=h)
    end
    @test built == Expression("(x, r, w = 1; eps = 1e-5) -> { n, h = add_rms_norm(x, r, w, eps); y = n * 3 + 1.0; y, h }")
    x, r = rand(Float32, 8, 3), rand(Float32, 8, 3)
    @test built(x, r)[1] ≈ own(norm(x, r; eps=1e-5)[1], 3f0)
    refused(f) = try f() catch err err.message end
    @test occursin("'eps' takes a number (got a tensor)", refused(() -> TileOps.build((x, r) -> norm(x, r; eps=x)[1], :x, :r)))
    @test occursin("'residual' is missing", refused(() -> TileOps.build(x -> norm(x)[1], :x)))
    other = Ref{Any}()
    @test occursin("is no node of this builder", refused(() -> TileOps.build(x -> (TileOps.build(y -> (other[] = y), :y); own(x, other[])), :x)))
end

# Sizes are the library's reversed: these would all broadcast to a wrong loss.
@testset "shapes" begin
    for (name, x, y, said) in ((:cross_entropy, (16, 8), (8,), "label: extent -1 is 8, the text says 1: label[..b, 1]"),
                               (:cross_entropy_mean, (16, 8), (8,), "label: extent -1 is 8, the text says 1: label[..b, 1]"),
                               (:token_logprob, (16, 8), (1, 8, 1), "label: its leading extents are (1, 8), the text says (8)"),
                               (:mse, (1, 4), (4,), "target: its leading extents are (4), the text says (4, 1): target[..b]"),
                               (:bce_logits, (4,), (1, 4), "target: its leading extents are (4, 1), the text says (4): target[..b]"))
        other = startswith(said, "label") ? ones(Int64, y) : zeros(Float32, y)
        error = try TileOps.named(name)(zeros(Float32, x), other) catch err err end
        @test error isa TileOpsError && occursin(said, error.message)
    end
end

@testset "plans" begin
    y = similar(g)
    plan = Plan(e, y, g, u, r)
    @test string(plan) == "TileOps.Plan($(repr(text)))"
    @test execute!(plan, y, g, u, r) === y && y ≈ gated(1)
    misses() = TileOps.cache_stats().plan_misses
    before = misses()
    for scale in (2, 0.5, -3f0, big(7), 1 // 2, pi)
        @test execute!(plan, y, g, u, r; scale=scale) ≈ gated(Float32(scale))
    end
    @test misses() == before
    @test TileOps.plan_info(plan).bytes_moved == 4sizeof(y)
    twin = deepcopy(plan)
    close(plan)
    @test_throws TileOpsError execute!(plan, y, g, u, r)
    @test execute!(twin, y, g, u, r) ≈ gated(1)
    close(twin)
    # The plan keeps what it needs of the expression.
    lone = Plan(Expression("(x) -> x + 1"), y, g)
    GC.gc()
    @test execute!(lone, y, g) == g .+ 1
    close(lone)
    specs = Plan(e, TileOps.TensorSpec(Float16, (5, 3)), (TileOps.TensorSpec(Float32, (5, 3)) for _ in 1:3)...; reproducible=true)
    @test execute!(specs, zeros(Float16, 5, 3), g, u, r) ≈ gated(1) rtol = 1e-3
    close(specs)
end

@testset "calls" begin
    @test e(g, u, r) ≈ gated(1) && TileOps.call(e, g, u, r; scale=2) ≈ gated(2)
    y = similar(g)
    @test TileOps.call!(e, y, g, u, r; scale=3) === y && y ≈ gated(3)
    several = Expression("(x, y = 2) -> { sum_of = x + y; sum_of, x < y, cast(x, f16) }")
    a, b, c = several(u)
    @test a == u .+ 2 && b == (u .< 2) && b isa Matrix{Bool} && c == Float16.(u)
    @test several(u, nothing) == (a, b, c)
    outs = (similar(a), similar(b), similar(c))
    context = Context(num_threads=1)
    @test TileOps.call!(several, outs, u; context=context) === outs && outs == (a, b, c)
    close(context)
    @test several(1.5, 1) === (2.5, false, Float16(1.5))
    # Sizes are reversed: what broadcasts over columns is a vector.
    column = rand(Float32, 5)
    @test Expression("(x, b) -> x + b")(u, column) == u .+ column
    # The last axis of a text is the first dimension.
    halves = Expression("(x) -> chunk(x, 0, 2) * chunk(x, 1, 2)")
    x = reshape(collect(1.0:12.0), 4, 3)
    @test halves(x) == x[1:2, :] .* x[3:4, :]
    @test Expression("(x) -> index(x, -1)")(x) == repeat(0:3, 1, 3)
    v = view(zeros(Float32, 10, 3), 1:2:10, :)
    @test TileOps.call!(e, v, g, u, view(r, :, [1, 2, 3][1]:3)) == e(g, u, r)
end

@testset "inference" begin
    big_x, small_y = TileOps.TensorSpec(Float16, (1000, 1)), TileOps.TensorSpec(TileOps.BFloat16, (1000, 7))
    @test TileOps.infer(Expression("(x, y) -> x + y, x < y"), big_x, small_y) == [(Float32, (1000, 7)), (Bool, (1000, 7))]
    @test TileOps.infer(Expression("(x, y) -> x / y"), Int8[1 2], Int16(3)) == [(Float32, (1, 2))]
    @test TileOps.infer(:silu_and_mul, zeros(Float16, 8, 3)) == [(Float16, (4, 3))]
    @test TileOps.infer(:div, [1], [2]; rounding=:floor) == [(Int, (1,))]
    @test TileOps.infer(:alibi, size=(4, 3, 2))[1][2] == (4, 3, 2)
    @test_throws TileOpsError TileOps.infer(e, g, u)
end

@testset "gradients" begin
    loss = Expression("(x, w; s = 2.0) -> x * x * w * s")
    grad = TileOps.gradient(loss, :x, "w")
    @test [o.name for o in TileOps.expression_info(grad).operands] == [:x, :w, :grad_y0]
    @test TileOps.expression_info(grad).results == [:grad_x, :grad_w]
    dx, dw = grad(g, u, r; s=3)
    @test dx ≈ 6 .* g .* u .* r && dw ≈ 3 .* g .* g .* r
    error = try TileOps.gradient(loss, :z) catch err err end
    @test error isa TileOpsError && error.argument == "operands" && occursin("x, w", error.message)
    @test_throws TileOpsError TileOps.gradient(loss, :x, :x)
end

@testset "errors" begin
    fails(f) = try f() catch err err end
    for (wrong, place) in (("(x) -> silu(x) + foo(x)", "foo"), ("(x) -> x +", nothing), ("(x, x) -> x", "x) ->"),
                           ("(x) -> clamp(x, lo = 1)", "lo"), ("(x) -> gelu(x, sine)", "sine"))
        error = fails(() -> Expression(wrong))
        @test error isa TileOpsError && error.status == R.STATUS_INVALID_ARGUMENT && error.argument == "text"
        @test error.offset == (place === nothing ? length(wrong) : first(findfirst(place, wrong)) - 1)
        @test occursin('^', error.message)
    end
    @test fails(() -> TileOps.add(rand(2), rand(3))).offset == -1
    @test fails(() -> Expression("(x) -> rope_neox(x)")).status == R.STATUS_UNSUPPORTED
    error = fails(() -> e(g, u, r; scala=1))
    @test error isa TileOpsError && error.argument == "scalars" && occursin("scala", error.message)
    @test fails(() -> e(g, u, r; scale="1")) isa TileOpsError
    @test fails(() -> Expression("(x; n = 1) -> x * n")(g; n=1.5)) isa TileOpsError
    @test fails(() -> Expression("(x; n = 1) -> x * n")(g; n=big(2)^70)) isa TileOpsError
    @test fails(() -> e(g, u)) isa TileOpsError
    @test fails(() -> e(g, u, rand(Float32, 4, 3))) isa TileOpsError
    @test fails(() -> Plan(e, (), g, u, r)) isa TileOpsError
    plan = Plan(:neg, g, g)
    @test fails(() -> execute!(plan, g, g; scale=1)).argument == "scalars"
    close(plan)
    # What does not go together is shown in the text.
    error = fails(() -> Expression("(x) -> silu(x)")([1, 2]))
    @test error isa TileOpsError && error.status == R.STATUS_UNSUPPORTED
end

@testset "tasks" begin
    results = Vector{Any}(undef, 16)
    Threads.@threads for i in 1:16
        results[i] = Expression(text)(g, u, r; scale=i)
    end
    @test all(results[i] ≈ gated(i) for i in 1:16)
end
