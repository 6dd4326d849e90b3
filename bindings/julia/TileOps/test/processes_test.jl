# What belongs to a process stays there: plans, contexts and the library's memory in constants of a
# precompiled module are refused where the module is loaded, and none of them can be serialized.
# In processes of their own, since what goes wrong here is a crash.
using Serialization

package = dirname(@__DIR__)

keeper = """
    module Keeper
    using TileOps
    struct Layer
        plan::Plan
    end
    const PLAN = Plan(:neg, zeros(Float32, 3), zeros(Float32, 3))
    const LAYER = Layer(PLAN)
    const CONTEXT = Context(num_threads=1)
    const ARRAY = TileOps.undefined_tensor(Float32, (3,))
    const X = Float32[1, 2, 3]
    const EXPRESSION = Expression("(x; a = 1.0) -> x * a + 1")
    # Compiled with the module, and run while it is: what they keep is of that process as well.
    dotted(x, a) = TileOps.neg.(x) .* a .+ x
    alone!(y, x) = y .= TileOps.neg.(x)
    const RESULT = (dotted(X, 2), alone!(similar(X), X))
    precompile(dotted, (Vector{Float64}, Int))
    end
    """

# The lines that `codes` print, or the errors that they throw, one after the other in one process, after `using Keeper`;
# none after a crash.
function with_keeper(dir, codes)
    program = "using TileOps, Keeper; using Keeper: PLAN, LAYER, CONTEXT, ARRAY, X, EXPRESSION; " *
        join("try println($code) catch e; println(e isa TileOpsError ? e.argument : typeof(e)) end; " for code in codes) *
        "flush(stdout); GC.gc()"
    separator = Sys.iswindows() ? ";" : ":"
    load_path = join((dir, dirname(package), "@stdlib"), separator)
    depots = join((joinpath(dir, "depot"), DEPOT_PATH...), separator)
    command = `$(Base.julia_cmd()) --startup-file=no -e $program`
    own = ("JULIA_LOAD_PATH" => load_path, "JULIA_DEPOT_PATH" => depots, "TILEOPS_LIBRARY" => TileOps.libpath())
    others = ((k => v for (k, v) in ENV if !(k in first.(own)) && k != "JULIA_PROJECT")...,)
    out = IOBuffer()
    process = run(pipeline(ignorestatus(setenv(command, own..., others...)); stdout=out, stderr=stderr))
    success(process) ? split(String(take!(out)), '\n'; keepempty=false) : String[]
end

@testset "constants of a precompiled module" begin
    mktempdir() do dir
        write(joinpath(dir, "Keeper.jl"), keeper)
        # One after the other where the first does not change what the next one finds.
        for group in ((("execute!(PLAN, similar(X), X)", "plan"),
                       ("execute!(LAYER.plan, similar(X), X)", "plan"),
                       ("TileOps.plan_info(PLAN)", "plan"), ("deepcopy(PLAN)", "plan"),
                       ("(isopen(PLAN), close(PLAN), PLAN)", "(false, nothing, TileOps.Plan(:neg, stale))"),
                       ("execute!(Plan(:neg, X, X), similar(X), X)", "Float32[-1.0, -2.0, -3.0]")),
                      (("TileOps.neg(X; context=CONTEXT)", "context"),
                       ("Plan(:neg, X, X; context=CONTEXT)", "context"),
                       ("(isopen(CONTEXT), close(CONTEXT), CONTEXT)", "(false, nothing, TileOps.Context(stale))"),
                       ("TileOps.neg(ARRAY)", "array"), ("ARRAY[1]", "array"), ("deepcopy(ARRAY)", "array"),
                       ("(isopen(ARRAY), close(ARRAY))", "(false, nothing)")),
                      (("EXPRESSION(X; a=2)", "Float32[3.0, 5.0, 7.0]"),
                       ("Keeper.dotted(X, 2)", "Float32[-1.0, -2.0, -3.0]"),
                       ("Keeper.alone!(similar(X), X)", "Float32[-1.0, -2.0, -3.0]")),
                      (("execute!(Plan(EXPRESSION, X, X), similar(X), X)", "Float32[2.0, 3.0, 4.0]"),
                       ("Keeper.dotted([1.0], 2)", "[-1.0]"),
                       ("(Keeper.dotted(X, 3), Keeper.dotted(X, 4))[2]", "Float32[-3.0, -6.0, -9.0]")))
            @test with_keeper(dir, first.(group)) == collect(last.(group))
        end
    end
end

x = Float32[1, -2, 3]
y = similar(x)
plan, context = Plan(:neg, y, x), Context(num_threads=1)
memory = TileOps.copy_tensor!(TileOps.undefined_tensor(Float32, (3,)), x)

@testset "serialized" begin
    for (value, argument) in ((plan, "plan"), (context, "context"), (memory, "array"), ((a=1, b=[plan]), "plan"),
                              (view(memory, 1:2).parent, "array"), (plan.handle, "handle"))
        error = try
            serialize(IOBuffer(), value)
        catch e
            e
        end
        @test error isa TileOpsError && error.argument == argument && occursin("process", error.message)
    end
end

@testset "expressions are sent as their text" begin
    io = IOBuffer()
    expression = Expression("(x; a = 1.0) -> x * a")
    serialize(io, [expression, expression])
    seekstart(io)
    received = deserialize(io)
    @test received == [expression, expression] && received[1](2.0; a=3) == 6
end

@testset "copied" begin
    twin = deepcopy(plan)
    @test twin !== plan && twin.handle !== plan.handle
    close(plan)
    @test !isopen(plan) && isopen(twin) && execute!(twin, y, x) == -x
    @test_throws TileOpsError deepcopy(plan)  # a closed one
    pair = deepcopy((twin, twin))
    @test pair[1] === pair[2] !== twin
    foreach(close, (pair[1], twin))
    @test_throws TileOpsError deepcopy(context)
    other = deepcopy(memory)
    @test other == memory && other.data != memory.data && typeof(other) === typeof(memory)
    other[1] = 7
    @test memory[1] == 1
    close(other)
    @test memory == x
    @test_throws TileOpsError deepcopy(memory.owner)
end
foreach(close, (context, memory))
