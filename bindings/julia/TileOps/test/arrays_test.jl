# Arrays are borrowed as they lie: strides and order are described, nothing is copied.
using LinearAlgebra: transpose

A = reshape(collect(1.0f0:24.0f0), 4, 6)
expected(X) = map(v -> v + 1, Array(X))

@testset "inputs" begin
    for X in (A, view(A, :, 2:3), view(A, 2:2:4, 6:-2:1), view(A, 2, :), transpose(A), A', PermutedDimsArray(A, (2, 1)),
              view(A, :, 1)', transpose(view(A, 1:2, 3:5)), reshape(A, 2, 2, 6), reshape(view(A, :, 1:2), 8),
              PermutedDimsArray(reshape(A, 2, 3, 4), (3, 1, 2)), view(A, 3:3, 2:2), view(A, 1:0, :), fill(2.0f0),
              reinterpret(Float32, reinterpret(Int32, A)), view(A, 2, 2))
        @test TileOps.add(X, 1) == expected(X)
        y = similar(Array(X))
        execute!(Plan(:add, y, X, 1.0f0), y, X, 1.0f0)
        @test y == expected(X)
    end
end

@testset "outputs" begin
    for select in (X -> X, X -> view(X, :, 2:3), X -> view(X, 4:-2:1, 1:3:6), transpose, X -> PermutedDimsArray(X, (2, 1)))
        B = zeros(Float32, 4, 6)
        y = select(B)
        x = rand(Float32, size(y))
        @test TileOps.neg!(y, x) === y
        @test y == -x
        @test sum(B) ≈ -sum(x)  # nothing beside it is written to
    end
end

@testset "broadcasting of sizes" begin
    x, row, column = rand(3, 4, 2), rand(1, 4), rand(3)
    @test TileOps.mul(x, row) == x .* row
    @test TileOps.mul(x, column) == x .* column
    @test TileOps.mul(column, row) == column .* row
    @test TileOps.mul(rand(0, 4), row) == zeros(0, 4)
end

@testset "in place" begin
    x = [1.0, -2.0]
    @test TileOps.relu!(x, x) === x == [1.0, 0.0]
end

# The address of a view with a reversed range is that of its first element.
v = view(A, 4:-1:1, 1)
@test R.address(v) == pointer(A, 4) && R.steps(v) == (-1,)
@test R.address(A') == pointer(A) && R.steps(A') == (4, 1)

@testset "sizes are reversed, not data" begin
    x = rand(Float32, 5, 3)  # row-major (3, 5): the last dimension is Julia's first
    @test TileOps.silu_and_mul(rand(Float32, 6, 2)) isa Matrix{Float32}
    @test size(TileOps.silu_and_mul(rand(Float32, 6, 2))) == (3, 2)
    slope = Float32[0.5, 0.25, 0.125]
    @test TileOps.prelu(-x, slope; axis=2) == -x .* slope'
    @test TileOps.prelu(-x, Float32[1, 2, 3, 4, 5]; axis=1) == -x .* Float32[1, 2, 3, 4, 5]
end
