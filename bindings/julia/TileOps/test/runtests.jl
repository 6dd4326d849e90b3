# `julia --project=. test/runtests.jl [NAME...]`, all tests or some, with TILEOPS_LIBRARY where the library is not installed for
# the whole system, and TILEOPS_VECTORS, the test vectors that the C library's runner writes.
using TileOps
using Test

const R = TileOps.Runtime
const ALL = ["layout", "table", "dtypes", "arrays", "calls", "plans", "open", "list", "processes", "inference", "broadcasting", "expressions", "rows", "fusion", "dlpack", "devices", "bad_input", "numbers", "allocations", "net",
             "concurrency", "library", "doctests", "vectors"]

TileOps.versioninfo()
println("  threads: ", Threads.nthreads())

# What is left open by one file's tests is a leak.
function leaks()
    R.forget_sites()  # what dotted expressions keep
    Threads.@threads for _ in 1:Threads.nthreads() end  # a thread keeps its last task
    for _ in 1:3
        GC.gc()
    end
    R.live_handles() + R.live_exports()
end

# The variables of a module hold nothing any more. The module itself may live on: a closure's type keeps it.
function forget_variables(m)
    for name in names(m; all=true)
        isdefined(m, name) && !isconst(m, name) && Core.eval(m, :($name = nothing))
    end
end

# Each file in a module of its own.
function run_file(file)
    m = Module(Symbol(file, "_test"))
    Core.eval(m, quote
        using TileOps, Test
        const R = TileOps.Runtime
        const leaks = $leaks
        const forget_variables = $forget_variables
        include(path) = Base.include($m, path)
    end)
    Base.include(m, joinpath(@__DIR__, file * "_test.jl"))
    forget_variables(m)
end

@testset "TileOps" begin
    for file in (isempty(ARGS) ? ALL : ARGS)
        before = leaks()
        @testset "$file" begin
            run_file(file)
        end
        @test leaks() == before
        flush(stdout)
    end
end
