# Numbers beside arrays: those that the arrays' integer type does not hold are refused, by every way to call.
const T = TileOps

# The error's text, or nothing.
function refusal(f)
    try
        f()
        nothing
    catch e
        e isa TileOpsError && e.status == R.STATUS_INVALID_ARGUMENT ? e.message : rethrow()
    end
end
refused(f, argument, S) = (m = refusal(f); m !== nothing && occursin(argument, m) && occursin(string(S), m))

dotted(f, x, n) = f.(x, n)
dotted!(y, f, x, n) = y .= f.(x, n)
const INTEGERS = (Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64)
beyond(S) = S === Int64 ? UInt64(2)^63 : S === UInt64 ? -1 : Int64(typemax(S)) + 1
below(S) = S === Int64 ? nothing : Int64(typemin(S)) - 1

@testset "$S" for S in INTEGERS
    x, y = S[0, 1, 100], zeros(S, 3)
    for n in (beyond(S), below(S))
        n === nothing && continue
        for name in (:add, :sub, :mul, :remainder, :floor_divide, :maximum, :minimum, :pow, :bitwise_and, :bitwise_or, :bitwise_xor, :eq, :ne, :gt, :lt, :ge, :le)
            f = getproperty(T, name)
            @test refused(() -> f(x, n), "inputs[1]", S) && refused(() -> dotted(f, x, n), "inputs[1]", S)
            @test refused(() -> f(n, x), "inputs[0]", S)
        end
        @test refused(() -> T.call(:gt, x, n), "inputs[1]", S) && refused(() -> T.call!(:add, y, x, n), "inputs[1]", S)
        @test refused(() -> T.add!(y, x, n), "inputs[1]", S) && refused(() -> dotted!(y, T.add, x, n), "inputs[1]", S)
        @test refused(() -> T.where([true, false, true], x, n), "inputs[2]", S)
        @test refused(() -> T.div(x, n; rounding=:floor), "inputs[1]", S)
        @test refused(() -> T.masked_fill(x, [true, false, true], n), "inputs[2]", S)
        @test refused(() -> Plan(:add, y, x, n), "inputs[1]", S) && refused(() -> T.infer(:add, x, n), "inputs[1]", S)
        plan = Plan(:add, y, x, n isa Int64 ? 1 : UInt64(1))
        @test refused(() -> execute!(plan, y, x, n), "inputs[1]", S)
        @test refused(() -> execute!(deepcopy(plan), y, x, n), "inputs[1]", S)
        # In floats it is what it is, bounds are none, and asked is whether it is zero.
        @test T.div(x, n) == Float32.(Float32.(x) ./ Float32(n)) && T.logical_and(x, n) == (x .!= 0)
        at_most, at_least = n > 0 ? (x, fill(typemax(S), 3)) : (fill(typemin(S), 3), x)
        @test T.clamp(x, nothing, n) == at_most && T.clamp(x, n, nothing) == at_least == T.clamp(x; min=n)
        @test execute!(Plan(:clamp, y, x, nothing, n), y, x, nothing, n) == at_most
    end
    for n in (typemin(S), typemax(S))
        @test T.maximum(x, n) == max.(x, n) && T.gt(x, n) == (x .> n) && T.add.(x, n) == x .+ n
        @test T.masked_fill(x, fill(true, 3), n) == fill(n, 3)
    end
    # A number of another category raises the type; one that is integral only fills.
    @test T.add(x, 1.5) isa Vector{Float64} && T.add(x, 1.5f0) isa Vector{Float32} && T.gt(x, 99.5) == (x .> 99.5)
    @test T.masked_fill(x, [true, false, false], 3.0) == S[3, 1, 100]
    @test refused(() -> T.masked_fill(x, [true, false, false], 3.5), "inputs[2]", S)
    @test refused(() -> T.masked_fill(x, [true, false, false], NaN), "inputs[2]", S)
    @test T.add(x, true) == x .+ true && T.add(x, true) isa Vector{S}
end

@testset "Bool and floats" begin
    b = [true, false]
    @test T.add(b, 300) == [301, 300] && T.eq(b, 2) == [false, false] && T.masked_fill(b, b, 5) == b
    @test T.gt(Float32[1], 300) == [false] && T.add(Float16[1], 2^20) == Float16[Inf]
    @test T.add(UInt8(200), 100) === 300  # numbers alone have the type that holds both
end

@testset "numbers of other types" begin
    # The same with and without dots.
    for f in ((x, n) -> T.add(x, n), (x, n) -> T.add.(x, n))
        @test f([1], big(2)) == [3] && f([1], Int128(2)) == [3] && f(Float32[1], big(2)) == Float32[3]
        @test f(UInt8[1], big(2)) isa Vector{UInt8} && f(Float32[1], big(2.5)) == Float32[3.5] && f([1], 1 // 2) == [1.5]
        for n in (big(2)^70, Int128(2)^70, typemax(UInt128), typemin(Int128))
            @test refused(() -> f([1], n), "operand", "64 bits") && refused(() -> f(Float32[1], n), "operand", "64 bits")
        end
        @test refused(() -> f(UInt8[1], big(300)), "inputs[1]", UInt8)
    end
end

@testset "attributes" begin
    n = UInt64(2)^63  # no negative number
    @test T.leaky_relu([-1.0]; negative_slope=n) == [-2.0^63] && T.add([1.0], [1.0]; alpha=big(2)^70) == [2.0^70]
    @test refused(() -> T.masked_fill([1], [true]; value=n), "attrs", "int64") && refused(() -> T.round([1.0]; decimals=n), "attrs", "64 bits")
    mask = T.dropout_mask.(rand(9); p=0.5, seed=-1)
    @test T.dropout_mask.(rand(9); p=0.5, seed=typemax(UInt64)) == mask == T.dropout(rand(9); mask=true, p=0.5, seed=typemax(UInt64))[2]
end

@testset "in chains and scalars" begin
    @test refused(() -> T.add.(UInt8[1], 300) .* 1, "scalars[0]", "uint8")
    @test refused(() -> 1 .+ T.add.(Int8[1], -200), "scalars", "int8")
    e = Expression("(x; n = 0, f = 0.0) -> x * n + f")
    @test e(Float32[2]; n=3) == e(Float32[2]; n=3.0) == e(Float32[2]; n=3 // 1) == e(Float32[2]; n=big(3)) == Float32[6]
    @test e(Float32[2]; n=true, f=true) == Float32[3] && e(Float32[2]; f=1 // 2) == e(Float32[2]; f=0.5f0) == Float32[0.5]
    for n in (3.5, NaN, Inf, 1e19, 7 // 2)
        @test refused(() -> e(Float32[2]; n=n), "scalars[0]", "integer")
    end
    @test refused(() -> e(Float32[2]; n=big(2)^64), "scalars", "64 bits")
    @test refused(() -> e(Float32[2]; n="3"), "scalars", "real number")
    @test refused(() -> Expression("(x; n = 0) -> x * n")(UInt8[1]; n=300), "scalars[0]", "uint8")
end
