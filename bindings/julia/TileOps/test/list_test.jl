# Lists: many sets of arrays by one call, with the bits of an execute of each.
const T = TileOps

const ROWS = 24  # of Julia: the library's last axis
const BATCHES = (7, 131, 0, 1, 65, 7, 300, 2)  # of items, of which some are equal and one is none

# One and several results; sums over the batch, for which most items need a workspace.
const TEXTS = ("(x, w; s = 1.5) -> rms_norm(x * s, w)",
               "(x, w; s = 1.5) -> { e = exp(x * s - amax(x * s)); e / sum(e), x * w }",
               "(x, w; s = 1.5) -> x * s / (1 + sum(abs(x))) / (1 + sum(abs(x), axis = -2)) * w")

values_of(batch) = Float32[(37i % 101) / 16 - 3 + batch / 64 for i in 1:ROWS, _ in 1:batch] .+ (1:batch)' ./ 32f0
const W = Float32[i / 8 - 1 for i in 1:ROWS]

num_results(text) = length(T.expression_info(Expression(text)).results)
unwritten(text, batch) = ntuple(k -> fill(NaN32, ROWS, batch), num_results(text))

function plan_for(text, columns; list=true)
    x = T.TensorSpec(Float32, (ROWS, columns))
    Plan(Expression(text), ntuple(k -> x, num_results(text)), x, T.TensorSpec(Float32, (ROWS,)); list=list)
end

function each(text)
    plan = plan_for(text, :; list=false)
    results = [execute!(plan, unwritten(text, batch), values_of(batch), W; s=0.25) for batch in BATCHES]
    close(plan)
    results
end

same_bits(a, b) = all(map((x, y) -> reinterpret(UInt32, vec(x)) == reinterpret(UInt32, vec(y)), a, b))

function says(f, text)
    try
        f()
        false
    catch e
        e isa TileOpsError && e.status == T.Runtime.STATUS_INVALID_ARGUMENT && occursin(text, e.message) || rethrow()
        true
    end
end

@testset "bits of executes: $text, $columns" for text in TEXTS, columns in (:, T.UpTo(512))
    plan = plan_for(text, columns)
    items = [(unwritten(text, batch), values_of(batch), W) for batch in BATCHES]
    for _ in 1:2
        @test T.execute_list!(plan, items; s=0.25) === items
        @test all(map((item, want) -> same_bits(item[1], want), items, each(text)))
    end
    close(plan)
end

@testset "addresses: $text" for text in TEXTS
    plan = plan_for(text, :)
    operands = [(unwritten(text, batch), values_of(batch)) for batch in BATCHES]
    GC.@preserve operands begin
        items = [((size(x, 2),), map(pointer, ys), pointer(x), pointer(W)) for (ys, x) in operands]
        T.execute_list_pointers!(plan, items; s=0.25)
    end
    @test all(map((item, want) -> same_bits(item[1], want), operands, each(text)))
    @test says(() -> T.execute_list_pointers!(plan, [((1,), 3)]), "items[0]: is no tuple of extents, outputs and inputs")
    @test says(() -> T.execute_list_pointers!(plan, [((), map(pointer, operands[1][1]), pointer(W), pointer(W))]), "items[0]: extents")
    close(plan)
end

# Items of other types beside each other: views, vectors of bits, numbers.
@testset "operators and kinds of operands" begin
    x = T.TensorSpec(Float32, (:,))
    plan = Plan(:mul, x, x, T.TensorSpec(Float32, ()); list=true)
    y, z, v = zeros(Float32, 3), zeros(Float32, 4), zeros(Float32, 5)
    items = ((view(v, 1:2), Float32[5, 6], 2f0), (y, view(Float32[1, 2, 3, 4], 2:4), 3f0), (z, ones(Float32, 4), 4f0))
    T.execute_list!(plan, items)
    @test v == [10, 12, 0, 0, 0] && y == [6, 9, 12] && z == fill(4, 4)
    @test T.execute_list!(plan, []) == []
    close(plan)
end

@testset "by many tasks" begin
    plan = plan_for(TEXTS[3], :)
    want = each(TEXTS[3])
    tasks = [Threads.@spawn begin
        items = [(unwritten(TEXTS[3], batch), values_of(batch), W) for batch in BATCHES]
        T.execute_list!(plan, items; s=0.25)
        all(map((item, want) -> same_bits(item[1], want), items, want))
    end for _ in 1:8]
    @test all(fetch, tasks)
    close(plan)
end

@testset "what is wrong is named with its item" begin
    e, x = Expression("(x; s = 2.0) -> x * s"), T.TensorSpec(Float32, (:,))
    plan, other = Plan(e, x, x; list=true), Plan(e, x, x)
    a, b, c, d = (zeros(Float32, 4) for _ in 1:4)
    @test says(() -> T.execute_list!(other, [(a, b)]), "plan: was made without TILEOPS_PLAN_LIST")
    @test says(() -> T.execute_list!(plan, [(a, b), (c,)]), "items[1]: num_inputs: differs from the plan")
    @test says(() -> T.execute_list!(plan, [(a, b), (c, zeros(Float32, 3))]), "items[1]: outputs[0]: extent 0")
    @test says(() -> T.execute_list!(plan, [(a, b), (c, a)]), "items[1]: inputs[0] overlaps outputs[0] of items[0]")
    @test says(() -> T.execute_list!(plan, [(a, b), ((), a)]), "items[1]: has no outputs")
    @test says(() -> T.execute_list!(plan, [(a, b), a]), "items[1]: is no tuple of outputs and inputs")
    @test says(() -> T.execute_list!(plan, [(a, b)]; q=1), "q")
    close(plan)
    close(other)
    @test says(() -> T.execute_list!(plan, [(a, b)]), "closed")
end
