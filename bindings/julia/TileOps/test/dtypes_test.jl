# The carriers convert as the library does.
using TileOps: BFloat16, Float8_E4M3FN, Float8_E5M2

bits(x::Union{Float8_E4M3FN,Float8_E5M2}) = reinterpret(UInt8, x)
bits(x::BFloat16) = reinterpret(UInt16, x)

same_bits(x, y) = isnan(x) ? isnan(y) : x === y

@testset "$T" for T in (BFloat16, Float8_E4M3FN, Float8_E5M2)
    U = sizeof(T) == 1 ? UInt8 : UInt16
    all_of = [reinterpret(T, u) for u in typemin(U):typemax(U)]
    widened = TileOps.cast(all_of; dtype=Float32)
    @test all(same_bits.(widened, Float32.(all_of)))
    @test all(isnan.(all_of) .== isnan.(widened))
    @test all(isinf.(all_of) .== isinf.(widened))
    @test all(isfinite.(all_of) .== isfinite.(widened))
    # Every Float16 is a tie or not far from one for the 8-bit types; neighbours of all values, too.
    halves = [reinterpret(Float16, u) for u in typemin(UInt16):typemax(UInt16)]
    @test all(same_bits.(TileOps.cast(halves; dtype=T), T.(halves)))
    finite = filter(isfinite, widened)
    middles = (finite[1:end-1] .+ finite[2:end]) ./ 2
    for x in (finite, middles, prevfloat.(middles), nextfloat.(middles), Float32[NaN, Inf, -Inf, 1e30, -1e30, 1e-30])
        @test all(same_bits.(TileOps.cast(x; dtype=T), T.(x)))
        wide = Float64.(x)
        @test all(same_bits.(TileOps.cast(wide; dtype=T), T.(wide)))
        @test all(same_bits.(TileOps.cast(nextfloat.(wide); dtype=T), T.(nextfloat.(wide))))
        @test all(same_bits.(TileOps.cast(prevfloat.(wide); dtype=T), T.(prevfloat.(wide))))
    end
    @test T(1) == T(1.0) && T(1) < T(2) && T(1) <= T(1) && !(T(NaN32) == T(NaN32))
    @test zero(T) == T(0) && one(T) == T(1) && signbit(T(-1)) && Int(T(3)) === 3 && Float64(T(1.5)) === 1.5
    @test promote_type(T, Float32) === Float32 && promote_type(T, Float64) === Float64 && promote_type(T, Int) === T
    @test sprint(show, T(1.5)) == "$(nameof(T))(1.5)"
    @test occursin("1.5", sprint(show, [T(1.5)]))
    @test R.julia_type(R.datatype(T)) === T
    @test isless(T(1), T(2)) && hash(T(1)) == hash(1.0f0) && isfinite(floatmax(T))
end
@test Float8_E4M3FN(BFloat16(2)) === Float8_E4M3FN(2) && BFloat16(Float8_E5M2(2)) === BFloat16(2)

@testset "Float8_E8M0FNU" begin
    T = TileOps.Float8_E8M0FNU
    all_of = reinterpret.(T, 0x00:0xff)
    @test all(same_bits.(TileOps.cast(all_of; dtype=Float32), Float32.(all_of)))
    powers = Float32.(all_of)[1:255]
    x = [powers; 1.5f0 .* powers; prevfloat.(1.5f0 .* powers); nextfloat.(powers); Float32[0, -3, Inf, NaN, 1e-45]]
    for y in (x, Float64.(x), nextfloat.(Float64.(x)), prevfloat.(Float64.(x)))
        @test all(same_bits.(TileOps.cast(y; dtype=T), T.(y)))
    end
    @test TileOps.cast(1.25f0 .* powers[1:254]; dtype=T, rounding=:up) == all_of[2:255]
    @test TileOps.cast(1.75f0 .* powers; dtype=T, rounding=:floor) == all_of[1:255]
    @test TileOps.cast(Float32[1, 1.1, 3]; dtype=T, rounding=:up) == T[1, 2, 4]
    @test T(3) === T(4) && Float64(T(4)) === 4.0 && T(1) < T(2) && isnan(T(NaN)) && sprint(show, T(2)) == "Float8_E8M0FNU(2.0)"
    @test R.julia_type(R.datatype(T)) === T
    @test_throws TileOpsError TileOps.exp(all_of)
end

@testset "Float4_E2M1FN_x2" begin
    T = TileOps.Float4_E2M1FN_x2
    all_of = reinterpret.(T, 0x00:0xff)
    values = zeros(Float32, 512)
    TileOps.cast!(values, all_of)
    @test all(same_bits.(values, [v for x in all_of for v in Tuple(x)]))
    @test [T(Tuple(x)...) for x in all_of] == all_of
    marks = Float32.(-8:0.25:8)
    x = [marks; prevfloat.(marks); nextfloat.(marks); Float32[Inf, -Inf, NaN]]
    pairs = Vector{T}(undef, length(x) ÷ 2)
    TileOps.cast!(pairs, x)
    @test pairs == [T(x[2i-1], x[2i]) for i in eachindex(pairs)]
    @test Expression("(x) -> cast(x, e2m1fn)")(x) == pairs
    @test sprint(show, T(1, -6)) == "Float4_E2M1FN_x2(1.0f0, -6.0f0)" && R.julia_type(R.datatype(T)) === T
    @test_throws TileOpsError TileOps.cast!(values, all_of[1:255])
end

# Promotion is PyTorch's.
@test R.promote_dtypes(Float16, BFloat16) === Float32
@test R.promote_dtypes(Float8_E4M3FN, Float8_E5M2) === Float16
@test R.promote_dtypes(UInt8, Int8) === Int16
@test R.promote_dtypes(UInt32, Int32) === Int64
@test R.promote_dtypes(Int64, Float16) === Float16
@test R.promote_dtypes(Bool, UInt8) === UInt8
@test_throws TileOpsError R.promote_dtypes(UInt64, Int64)
@test eltype(TileOps.add(Float32[1], 2.0)) === Float32
@test eltype(TileOps.add([1], 2.0)) === Float64
@test eltype(TileOps.add(Float32[1], [1])) === Float32
@test eltype(TileOps.div([1], [2])) === Float32 && eltype(TileOps.div([1], [2]; rounding=:trunc)) === Int
@test eltype(TileOps.exp([1])) === Float32 && eltype(TileOps.eq([1], [2])) === Bool

@testset "arithmetic of $T" for T in (BFloat16, Float8_E4M3FN, Float8_E5M2)
    a, b = T(1.5), T(-0.5)
    @test a + b === T(1) && a - b === T(2) && a * b === T(-0.75) && b / T(2) === T(-0.25) && a^T(2) === T(2.25)
    @test -a === T(-1.5) && abs(b) === T(0.5) && abs(T(-0.0)) === T(0) && sqrt(T(4)) === T(2)
    @test a + 1 isa T && a + 1.0f0 === 2.5f0 && sum([a, b, b]) == 0.5 && max(a, b) === a
    @test one(T) + eps(T) > one(T) && Float32(eps(T)) == Float32(reinterpret(T, R.bits(one(T)) + one(R.bits(a)))) - 1
    numbers = rand(T, 1000)
    @test eltype(numbers) === T && all(n -> 0 <= n < 1, numbers) && length(unique(numbers)) > 6
    @test rand(T) isa T && randn(T, 3) isa Vector{T}
    @test isapprox(a, a + eps(T)) && !isapprox(a, b) && [a, b] ≈ [a, b] && !([a, b] ≈ [a, a])
end
@test BFloat16(1) + Float8_E5M2(1) === BFloat16(2) && Float8_E4M3FN(1) + Float8_E5M2(1) === Float16(2)
