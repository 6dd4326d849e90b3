# One plan from many tasks; closing while others use it; finalizers beside calls.
Threads.nthreads() == 1 && println("concurrency: Julia has one thread; JULIA_NUM_THREADS=4 tries more")

x = rand(Float32, 64, 33)
expected = TileOps.exp(x)
plan = Plan(:exp, similar(x), x)

@testset "one plan, many tasks" begin
    right = fill(false, 16)
    @sync for k in 1:16
        Threads.@spawn begin
            y = similar(x)
            ok = true
            for _ in 1:200
                fill!(y, 0)
                execute!(plan, y, x)
                ok &= y == expected
            end
            right[k] = ok
        end
    end
    @test all(right)
end

@testset "one problem, many tasks" begin
    right = fill(false, 16)
    @sync for k in 1:16
        Threads.@spawn right[k] = all(_ -> TileOps.add(x, k) == x .+ k, 1:50)
    end
    @test all(right)
end

# Every task closes the plan at some time, and goes on until it is told so.
@testset "closed while in use" begin
    for round in 1:20
        shared = Plan(:neg, similar(x), x)
        outcomes = Vector{Any}(undef, 8)
        @sync for k in 1:8
            Threads.@spawn outcomes[k] = try
                y = similar(x)
                for n in 1:1000
                    n == 10k && close(shared)
                    execute!(shared, y, x) == -x || error("wrong result")
                end
            catch e
                e
            end
        end
        @test all(e -> e isa TileOpsError && e.argument == "plan", outcomes)
        @test !isopen(shared)
    end
end

@testset "finalizers" begin
    before = leaks()
    right = fill(false, 4)
    @sync for k in 1:4
        Threads.@spawn begin
            y = similar(x)
            for n in 1:200
                Plan(:neg, y, x; cached=n % 2 == 0)
                n % 50 == 0 && Context(num_threads=1)
                n % 20 == 0 && GC.gc(false)
                execute!(plan, y, x)
            end
            right[k] = y == expected
        end
    end
    @test all(right)
    @test leaks() == before
end

# Errors belong to the task whose call failed.
@testset "errors" begin
    right = fill(false, 8)
    @sync for k in 1:8
        Threads.@spawn right[k] = all(1:100) do _
            try
                TileOps.round(x; decimals=100 + k)
                false
            catch e
                e isa TileOpsError && occursin("$(100 + k)", e.message)
            end
        end
    end
    @test all(right)
end

# A plan that needs a workspace has one for each execute. What one pass over x reduces is taken by the other one.
both_softmaxes = Expression("""(x) -> { e = exp(x - detach(amax(x)));  f = exp(x - detach(amax(x, axis = -2)));
                                         e / sum(e), f / sum(f, axis = -2) }""")
softmax(x, d) = (e = exp.(x .- maximum(x; dims=d)); e ./ sum(e; dims=d))

function in_a_task(plan, k)
    x = rand(500, 6) .- k / 8
    p, q = softmax(x, 1), softmax(x, 2)
    y, z = similar(x), similar(x)
    all(1:30) do i
        i % 2 == 0 ? execute!(plan, (y, z), x) : TileOps.call!(both_softmaxes, (y, z), x)
        i % 10 == 0 && GC.gc(false)
        y ≈ p && z ≈ q
    end
end

@testset "workspaces" begin
    x = rand(500, 6)
    plan = Plan(both_softmaxes, (similar(x), similar(x)), x)
    right = fill(false, 12)
    @sync for k in 1:12
        Threads.@spawn right[k] = in_a_task(plan, k)
    end
    @test all(right)
    close(plan)
    # A thread holds its last task, and with it what that had, which would look like a leak.
    @sync for _ in 1:8Threads.nthreads()
        Threads.@spawn sum(rand(100))
    end
end

const POOLS = ["in order" => (parts, work) -> foreach(work, 1:parts),
               "backwards" => (parts, work) -> foreach(work, parts:-1:1),
               "tasks" => (parts, work) -> @sync(for part in 1:parts
                   Threads.@spawn work(part)
               end),
               "threads" => (parts, work) -> Threads.@threads(for part in 1:parts
                   work(part)
               end)]

# One phase; and two, of which one leaves sums in a workspace; with a scalar.
function in_parts(pool, text)
    large = rand(Float32, 1000, 517)
    whole, parts = similar(large), zero(large)
    shared = Plan(Expression(text), whole, large)
    execute!(shared, whole, large; s=0.25)
    most = 0
    counted = (n, work) -> (most = max(most, n); pool(n, work))
    @test TileOps.execute_parts!(counted, shared, parts, large; s=0.25) === parts
    @test parts == whole
    @test most >= 4
    @test TileOps.execute_parts!(pool, shared, fill!(parts, 0), large; s=0.25, workspace=TileOps.workspace(shared)) == whole
    @test_throws TileOpsError TileOps.execute_parts!(pool, shared, parts, large[1:999, :])
    @test_throws TileOpsError TileOps.execute_parts!((n, work) -> work(n + 1), shared, parts, large)
    close(shared)
end

@testset "in parts, $name" for (name, pool) in POOLS
    in_parts(pool, "(x; s = 1.5) -> { e = exp(x * s - amax(x * s)); e / sum(e) }")
    in_parts(pool, "(x; s = 1.5) -> x * s / sum(x) / sum(x, axis = -2)")
end

# A thread keeps its last task, and that what it was given.
Threads.@threads for _ in 1:Threads.nthreads()
end
