# No call that writes to given arrays allocates once its plan is known: by plan, by name, with dots, of arrays and of views,
# with attributes, numbers and scalars.
const T = TileOps

allocated(f::F, args::Vararg{Any,N}) where {F,N} = (f(args...); f(args...); f(args...); @allocated f(args...))

execute_add(p, y, x, z) = (execute!(p, y, x, z); nothing)
named(y, x, z) = (T.add!(y, x, z); nothing)
named_attribute(y, x, s) = (T.leaky_relu!(y, x; negative_slope=s); nothing)
alone(y, x, z) = (y .= T.add.(x, z); nothing)
fused(y, x, z) = (y .= T.relu.(x) .* z .+ x; nothing)
many(y, x, z) = (y .= T.relu.(x) .* z .+ x .* z .- x ./ (z .+ 1); nothing)

x, z, y = rand(Float32, 6, 4), rand(Float32, 6, 4), zeros(Float32, 6, 4)
kinds = ("arrays" => identity, "columns" => a -> view(a, :, 2:3), "a column" => a -> view(a, :, 1), "rows" => a -> view(a, 1:2:5, :),
         "reversed" => a -> view(a, 6:-1:1, 1:4), "views of views" => a -> view(view(a, :, 1:3), 1:2:6, 2:3),
         "reshaped views" => a -> reshape(view(a, :, 1:2), 3, 4), "permuted" => a -> PermutedDimsArray(a, (2, 1)),
         "transposed" => transpose, "adjoint" => adjoint, "reinterpreted" => a -> reinterpret(Float32, reinterpret(Int32, a)))
@testset "$name" for (name, f) in kinds
    a, b, c = f(y), f(x), f(z)
    @test allocated(execute_add, Plan(:add, a, b, c), a, b, c) == 0
    @test allocated(named, a, b, c) == 0
    @test allocated(alone, a, b, c) == 0
    @test allocated(fused, a, b, c) == 0
    # A long expression of views is more than Julia keeps off the heap.
    @test allocated(many, a, b, c) <= (name in ("arrays", "permuted", "transposed", "adjoint") ? 0 : 1024)
    @test allocated(named_attribute, a, b, 0.25) == 0
    fused(a, b, c)
    @test a ≈ max.(b, 0) .* c .+ b
end

with_attribute(y, x, s) = (y .= T.leaky_relu.(x; negative_slope=s); nothing)
with_choice(y, x) = (y .= T.gelu.(x; approximate=:tanh); nothing)
in_chain(y, x, s) = (y .= T.leaky_relu.(x; negative_slope=s) .* s .+ 1; nothing)
clamped(y, x) = (y .= T.clamp.(x, nothing, 0.5); nothing)
whole(y, x, s) = (y .= T.abs.(x) .* s .+ x; nothing)
@testset "attributes and numbers" begin
    @test allocated(with_attribute, y, x, 0.1) == allocated(with_choice, y, x) == allocated(in_chain, y, x, 0.2) == 0
    @test allocated(alone, y, x, 2.0) == allocated(alone, y, x, 3) == allocated(named, y, x, 2.0f0) == allocated(clamped, y, x) == 0
    @test allocated(execute_add, Plan(:add, y, x, 1.0), y, x, 2.0) == 0
    i, m = rand(1:9, 6, 4), rand(Bool, 6, 4)
    @test allocated(alone, i, i, 3) == allocated(whole, i, i, 3) == allocated(whole, zeros(6, 4), i, 1.5) == 0
    @test allocated((m, i) -> (m .= T.gt.(i, 3) .& m; nothing), m, i) == 0
    # Attributes that are others each time, and then the same.
    for s in (0.5, 0.75, 0.75, 0.75)
        T.leaky_relu!(y, -x; negative_slope=s)
        @test y == -x .* Float32(s)
    end
end

with_scalars(p, y, x, z, s, n) = (execute!(p, y, x, z; s=s, n=n); nothing)
called(e, y, x, z, s) = (T.call!(e, y, x, z; s=s); nothing)
called(e, y, x, z) = (T.call!(e, y, x, z); nothing)
two(p, y, w, x, z) = (execute!(p, (y, w), x, z); nothing)
@testset "expressions" begin
    e = Expression("(x, z; s = 1.0, n = 2) -> relu(x) * z + s * n")
    plan = Plan(e, y, x, z)
    @test allocated(with_scalars, plan, y, x, z, 2.0, 3) == allocated(with_scalars, plan, y, x, z, 2, 3.0) == 0
    @test y ≈ max.(x, 0) .* z .+ 6
    @test allocated(called, e, y, x, z) == allocated(called, e, y, x, z, 2.0) == allocated(called, e, view(y, :, 1:2), view(x, :, 2:3), view(z, :, 2:3), 1) == 0
    w = similar(y)
    @test allocated(two, Plan(Expression("(x, z) -> x * z, x + z"), (y, w), x, z), y, w, x, z) == 0
end

# Once a plan has a workspace, an execute takes it without one.
in_space(p, y, w, x, space) = (execute!(p, (y, w), x; workspace=space); nothing)
in_own(p, y, w, x) = (execute!(p, (y, w), x); nothing)
scaled(p, y, w, x, s) = (execute!(p, (y, w), x; s=s); nothing)
@testset "workspaces" begin
    w, e = similar(y), Expression("(x; s = 1.0) -> s * x / sum(x), x / sum(x, axis = -2)")
    plan = Plan(e, (y, w), x)
    @test R.plan_info(plan).workspace_bytes > 0
    @test allocated(in_own, plan, y, w, x) == allocated(scaled, plan, y, w, x, 2.0) == allocated(in_space, plan, y, w, x, T.workspace(plan)) == 0
    @test w ≈ x ./ sum(x; dims=2)
end

# Nor does a call site that sees many layouts.
function all_layouts(ys, xs)
    for k in 1:length(xs)
        fused(ys[k], xs[k], xs[k])
        named(ys[k], xs[k], xs[k])
    end
end
@testset "many layouts" begin
    xs = [rand(Float32, n, 2) for n in 1:100]
    ys = map(similar, xs)
    @test allocated(all_layouts, ys, xs) == 0
    @test all(k -> ys[k] == 2 .* xs[k], 1:100)
    @test all(site -> length(site.newest) <= R.NEWEST && length(site.older) in (0, R.SETS * R.SET_SIZE), R.SITES)
    # More than there is room for: the oldest are forgotten, the values are right.
    more = [rand(Float32, n, 1) for n in 1:R.SETS * R.SET_SIZE + 100]
    for _ in 1:2, x in more
        @test T.neg(x) == -x
    end
end
