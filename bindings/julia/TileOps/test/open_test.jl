# Open plans: one for any batch, with the bits of a plan for each; on arrays, on addresses, in parts, by many tasks.
const T = TileOps

const ROWS = 24  # of Julia: the library's last axis
const BATCHES = (7, 131, 3, 1, 0, 64, 65, 4097, 2)  # rising and falling, so that what is left of one would show at the next

# Columns alone; several results; sums over the batch, for which sizes need a workspace of their own size.
const TEXTS = ("(x, w; s = 1.5) -> rms_norm(x * s, w)",
               "(x, w; s = 1.5) -> { e = exp(x * s - amax(x * s)); e / sum(e), x * w }",
               "(x, w; s = 1.5) -> x * s / (1 + sum(abs(x))) / (1 + sum(abs(x), axis = -2)) * w")

values_of(batch) = Float32[(37i % 101) / 16 - 3 + batch / 64 for i in 1:ROWS, _ in 1:batch] .+ (1:batch)' ./ 32f0
const W = Float32[i / 8 - 1 for i in 1:ROWS]

open_spec(columns=:) = T.TensorSpec(Float32, (ROWS, columns))
w_spec() = T.TensorSpec(Float32, (ROWS,))

function open_plan(text, columns=:)
    e = Expression(text)
    results = T.infer(e, open_spec(columns), w_spec())
    all(r -> r == (Float32, (ROWS, :)), results) || error("other results: $results")
    Plan(e, ((T.TensorSpec(S, size) for (S, size) in results)...,), open_spec(columns), w_spec())
end

unwritten(text, batch) = ntuple(k -> fill(NaN32, ROWS, batch), length(T.expression_info(Expression(text)).results))

function closed_results(text, batch)
    outs, x = unwritten(text, batch), values_of(batch)
    plan = Plan(Expression(text), outs, x, W; cached=false)
    execute!(plan, outs, x, W; s=0.25)
    close(plan)
    outs
end

same_bits(a, b) = all(map((x, y) -> reinterpret(UInt32, vec(x)) == reinterpret(UInt32, vec(y)), a, b))

open_results(plan, text, batch) = execute!(plan, unwritten(text, batch), values_of(batch), W; s=0.25)

message(f) = try
    f()
    "no error"
catch e
    e isa TileOpsError ? e.argument * " | " * e.message : rethrow()
end
says(f, argument, text) = (m = message(f); startswith(m, argument * " | ") && occursin(text, m) || (println(m); false))

@testset "bits of closed plans: $text, $columns" for text in TEXTS, columns in (:, T.UpTo(5000))
    plan = open_plan(text, columns)
    for batch in BATCHES
        @test same_bits(open_results(plan, text, batch), closed_results(text, batch))
    end
    again = deepcopy(plan)
    close(plan)
    @test same_bits(open_results(again, text, 5), closed_results(text, 5))
    close(again)
end

@testset "operators" begin
    x, y = T.TensorSpec(Float32, (:, T.UpTo(300))), T.TensorSpec(Float32, (1,))
    plan = Plan(:add, x, x, y; alpha=2)
    @test T.open_sizes(plan) == [(input=1, dim=2, most=300), (input=1, dim=1, most=typemax(Int))]
    for sizes in ((3, 2), (0, 5), (1, 1), (41, 300))
        @test execute!(plan, zeros(Float32, sizes), ones(Float32, sizes), Float32[3]) == fill(7f0, sizes)
        @test T.plan_result(plan, 1, reverse(sizes)...) == (Float32, sizes)
    end
    info = T.plan_info(plan)
    @test info.bytes_moved === info.num_elements === nothing && info.workspace_bytes == 0 && !isempty(info.kernel)
    close(plan)
end

@testset "descriptions" begin
    spec = T.TensorSpec(Float16, (8, T.UpTo(3), :))
    @test size(spec) == (8, T.UpTo(3), :) && ndims(spec) == 3 && eltype(spec) === Float16
    @test string(spec) == "TileOps.TensorSpec(Float16, (8, TileOps.UpTo(3), :))"
    @test string(T.TensorSpec(Int8, (2, 3), (3, 1))) == "TileOps.TensorSpec(Int8, (2, 3), (3, 1))"
    @test string(T.TensorSpec(Int8, (:,))) == "TileOps.TensorSpec(Int8, (:,))"
    @test T.TensorSpec(Float32, (UInt8(2), 3)) === T.TensorSpec(Float32, (2, 3))
    @test size(T.TensorSpec(Float32, (T.UpTo(typemax(Int)),))) == (:,)  # beyond all arrays
    @test says(() -> T.UpTo(0), "most", "got 0, need at least 1")
    @test says(() -> T.TensorSpec(Float32, (:, -2)), "size", "is negative (got -2")
    @test says(() -> T.TensorSpec(Float32, (2, :), (1,)), "strides", "need 2")
end

@testset "results and facts" begin
    e = Expression("(x[.., n], w[n]) -> { y = x * w;  cast(y, bf16), sum(y), sum(y, axis = -2) }")
    x = open_spec(T.UpTo(1000))
    results = T.infer(e, x, w_spec())
    @test results == [(T.BFloat16, (ROWS, :)), (Float32, (1, :)), (Float32, (ROWS, 1))]
    plan = Plan(e, ((T.TensorSpec(S, size) for (S, size) in results)...,), x, w_spec())
    for batch in (0, 1, 7, 1000)
        @test [T.plan_result(plan, k, batch) for k in 1:3] == [(T.BFloat16, (ROWS, batch)), (Float32, (1, batch)), (Float32, (ROWS, 1))]
        facts = T.plan_at(plan, batch)
        @test facts.parts == 1 && facts.phases >= 1 && facts.workspace_bytes <= T.plan_info(plan).workspace_bytes
    end
    @test T.plan_at(plan, 2).bytes_moved > T.plan_at(plan, 1).bytes_moved
    @test says(() -> T.plan_at(plan, 1001), "extents[0]", "is too large (got 1001, need at most 1000)")
    @test says(() -> T.plan_at(plan, -1), "extents[0]", "is negative (got -1)")
    @test says(() -> T.plan_at(plan), "num_extents", "(got 0, need 1)")
    @test says(() -> T.plan_at(plan, ones(Int, 17)...), "extents", "too many (got 17")
    @test says(() -> T.plan_result(plan, 4, 1), "output", "is out of range (got 3")
    @test says(() -> T.plan_result(plan, 0, 1), "k", "is out of range (got 0")
    close(plan)
    @test says(() -> T.plan_at(plan, 1), "plan", "closed")
    closed = Plan(:exp, W, W)
    @test isempty(T.open_sizes(closed)) && T.plan_at(closed).bytes_moved == 2sizeof(W) && T.plan_result(closed, 1) == (Float32, (ROWS,))
    close(closed)
end

@testset "other arrays are refused" begin
    x = open_spec(T.UpTo(100))
    plan = Plan(Expression("(x, r) -> rms_norm(x + r, 1.0)"), x, x, x)
    run(y, x, r, rows=ROWS) = execute!(plan, zeros(Float32, rows, y), ones(Float32, rows, x), ones(Float32, rows, r))
    for _ in 1:2
        @test size(run(100, 100, 100)) == (ROWS, 100)
        @test says(() -> run(4, 4, 3), "inputs[1]", "extent 0 differs from that of inputs[0] (got 3, need 4")
        @test says(() -> run(4, 4, 1), "inputs[1]", "extent 0 differs from that of inputs[0] (got 1, need 4")
        @test says(() -> run(3, 4, 4), "outputs[0]", "extent 0 differs from that of inputs[0] (got 3, need 4")
        @test says(() -> run(101, 101, 101), "inputs[0]", "extent 0 is out of range (got 101, need 0 to 100)")
        @test says(() -> run(4, 4, 4, ROWS - 1), "inputs[0]", "shape differs from the plan")
        @test says(() -> execute!(plan, x, x, x), "inputs[0]", "")
    end
    close(plan)
    x = T.TensorSpec(Float32, (:, 4))
    @test_throws TileOpsError Plan(Expression("(x) -> x / spread(amax(x, group = 8), x, group = 8)"), x, x)
end

@testset "strides" begin
    # The middle third of each column, as of a product of three.
    third = T.TensorSpec(Float32, (ROWS, :), (1, 3ROWS))
    plan = Plan(:neg, open_spec(), third)
    for batch in (5, 1, 9)
        x = view(rand(Float32, 3ROWS, batch), ROWS+1:2ROWS, :)
        @test execute!(plan, zeros(Float32, ROWS, batch), x) == -x
    end
    @test_throws TileOpsError execute!(plan, zeros(Float32, ROWS, 2), zeros(Float32, ROWS, 2))
    close(plan)
end

pointers(plan, y, x, batch; given...) = GC.@preserve x y begin
    T.execute_pointers!(plan, (batch,), pointer(y), pointer(x), pointer(W); s=0.25, given...)
end

@testset "addresses: $text, $columns" for text in TEXTS[[1, 3]], columns in (:, T.UpTo(5000))
    plan = open_plan(text, columns)
    space = T.workspace(plan, 4097)
    for batch in BATCHES, given in ((), (workspace=space,))
        y, x = fill(NaN32, ROWS, batch), values_of(batch)
        @test pointers(plan, y, x, batch; given...) === nothing
        @test same_bits((y,), closed_results(text, batch))
    end
    y, x = zeros(Float32, ROWS, 2), values_of(2)
    columns === Colon() || @test says(() -> pointers(plan, y, x, 5001), "extents[0]", "is too large (got 5001")
    @test says(() -> pointers(plan, y, x, -1), "extents[0]", "is negative")
    @test says(() -> T.execute_pointers!(plan, (), pointer(y), pointer(x), pointer(W)), "extents", "is NULL (the plan has 1)")
    @test says(() -> T.execute_pointers!(plan, (2,), C_NULL, pointer(x), pointer(W)), "output_ptrs[0]", "is NULL")
    @test says(() -> T.execute_pointers!(plan, (2,), pointer(y), pointer(x)), "num_inputs", "(got 1, need 2)")
    @test says(() -> pointers(plan, y, x, 2; nope=1), "scalars", "none")
    close(plan)
end

@testset "addresses of a plan without open sizes" begin
    x = Float32[1, 2]
    plan = Plan(:neg, x, x)
    GC.@preserve x T.execute_pointers!(plan, (), pointer(x), pointer(x))
    @test x == [-1, -2]
    @test says(() -> T.execute_pointers!(plan, (2,), pointer(x), pointer(x)), "extents", "the plan has no open ones")
    close(plan)
end

@testset "workspaces without a bound" begin
    plan = open_plan(TEXTS[3])
    need = T.plan_at(plan, 4097).workspace_bytes
    @test need > T.plan_at(plan, 1).workspace_bytes && T.plan_info(plan).workspace_bytes === nothing
    @test says(() -> T.workspace(plan), "plan", "open sizes")
    x, space = values_of(4097), T.workspace(plan, 4097)
    @test length(space) == need
    @test same_bits((execute!(plan, similar(x), x, W; s=0.25, workspace=space),), closed_results(TEXTS[3], 4097))
    @test occursin("workspace", message(() -> execute!(plan, similar(x), x, W; workspace=T.workspace(plan, 4000))))
    # One that grows, as the next power of two, and stays.
    for batch in (1, 4097, 2)
        open_results(plan, TEXTS[3], batch)
    end
    @test [kept.bytes for kept in plan.workspaces.free] == [nextpow(2, need)]
    close(plan)
end

@testset "in parts: $text" for text in TEXTS[[1, 3]]
    plan, most = open_plan(text), 0
    for batch in (6000, 1, 0, 3000)
        x = values_of(batch)
        y = T.execute_parts!(plan, fill(NaN32, ROWS, batch), x, W; s=0.25) do parts, work
            most = max(most, parts)
            @test parts == T.plan_at(plan, batch).parts
            @sync for part in parts:-1:1
                Threads.@spawn work(part)
            end
        end
        @test same_bits((y,), closed_results(text, batch))
    end
    @test most > 1
    y = zeros(Float32, ROWS, 2)
    @test says(() -> T.execute_parts!((parts, work) -> foreach(work, 1:parts), plan, y, y[1:ROWS-1, :], W), "inputs[0]", "shape differs")
    close(plan)
end

function in_a_task(plans, k)
    all(1:40) do i
        which, batch = 1 + i % 2, (53k + 17i) % 190
        text = TEXTS[2which-1]
        same_bits(open_results(plans[which], text, batch), closed_results(text, batch))
    end
end

@testset "many tasks with other batches each" begin
    plans = (open_plan(TEXTS[1]), open_plan(TEXTS[3]))
    right = fill(false, 8)
    @sync for k in 1:8
        Threads.@spawn right[k] = in_a_task(plans, k)
    end
    @test all(right)
    foreach(close, plans)
end

allocated(f::F, args::Vararg{Any,N}) where {F,N} = (f(args...); f(args...); f(args...); @allocated f(args...))
executed(plan, y, x) = (execute!(plan, y, x, W); nothing)
in_arena(plan, y, x, w, batch) = (T.execute_pointers!(plan, (batch,), y, x, w); nothing)
with_scalar(plan, y, x, w, batch) = (T.execute_pointers!(plan, (batch,), y, x, w; s=0.25); nothing)
@testset "no allocation at a new batch" begin
    for (text, columns) in ((TEXTS[1], :), (TEXTS[3], T.UpTo(5000)), (TEXTS[3], :))
        plan = open_plan(text, columns)
        x = values_of(100)
        executed(plan, similar(x), x)
        for batch in (3, 77, 99)
            y, part = zeros(Float32, ROWS, batch), x[:, 1:batch]
            @test (@allocated executed(plan, y, part)) == 0
            GC.@preserve y part for call in (in_arena, with_scalar)
                @test allocated(call, plan, pointer(y), pointer(part), pointer(W), batch) == 0
            end
        end
        close(plan)
    end
end

# In a process of its own, since what a process has chosen is for all of its contexts. A library without CUDA opens none.
const ONE_COMPILER = """
    using TileOps
    contexts = [Context(nvrtc_path="/no/such/libnvrtc.so") for _ in 1:2]
    build = sprint(TileOps.versioninfo)
    try
        Context(nvrtc_path="/another/libnvrtc.so")
        occursin("cuda", build) && error("taken")
    catch e
        occursin("options: nvrtc_path is another file", e.message) || rethrow()
    end
    """
@testset "where kernels are" begin
    close(Context(pack_dirs=["/no/such/folder", "another"]))
    close(Context(pack_dirs=("/no/such/folder",)))
    @test says(() -> Context(pack_dirs=["/tmp", "a:b"]), "pack_dirs", "':'")
    @test says(() -> Context(pack_dirs=["a\0b"]), "pack_dirs", "NUL")
    @test says(() -> Context(pack_dirs="/tmp"), "pack_dirs", "is a string")
    @test says(() -> Context(nvrtc_path="a\0b"), "nvrtc_path", "NUL")
    @test success(pipeline(`$(Base.julia_cmd()) --compile=min -O0 --startup-file=no --project=$(Base.active_project()) -e $ONE_COMPILER`; stderr=stderr))
end
