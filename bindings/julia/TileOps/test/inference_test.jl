# The compiler knows the type of a result from the types of the operands.
using SparseArrays

@testset "$(op.name)" for op in TileOps.operators()
    f = getproperty(TileOps, op.name)
    required = count(operand -> !operand.optional, op.inputs)
    # How many dimensions there are is no matter of the element type.
    for (T, N) in ((Float16, 1), (Float32, 1), (Float32, 2), (Float64, 1), (TileOps.BFloat16, 1), (Int8, 1), (Int64, 1),
                   (UInt8, 1), (Bool, 1))
        arguments = op.size === :given ? (NTuple{2,Int},) : ntuple(_ -> Array{T,N}, required)
        types = Base.return_types(f, arguments)
        @test length(types) == 1 && isconcretetype(types[1])
    end
end

x, i, mask = Float32[1 -2; 3 4], [1 2; 3 4], [true false; true true]
half, small, bf = Float16.(x), Int8.(i), TileOps.BFloat16.(x)
@testset "mixed operands" begin
    for (a, b, T) in ((x, i, Float32), (half, bf, Float32), (small, UInt8.(i), Int16), (mask, small, Int8),
                      (UInt32.(i), Int32.(i), Int64), (i, mask, Int), (Float64.(x), x, Float64))
        @test (@inferred TileOps.add(a, b)) isa Matrix{T}
        @test (@inferred TileOps.mul(b, a)) isa Matrix{T}
        @test (@inferred TileOps.eq(a, b)) isa Matrix{Bool}
    end
    @test (@inferred TileOps.add(x, [1.0f0, 2])) isa Matrix{Float32}
    @test (@inferred TileOps.add(view(x, :, 1), x')) isa Matrix{Float32}
    @test (@inferred TileOps.add(x, 1.5)) isa Matrix{Float32} && (@inferred TileOps.add(i, 1.5)) isa Matrix{Float64}
    @test (@inferred TileOps.div(i, i)) isa Matrix{Float32}
    @test (@inferred TileOps.where(mask, x, 0)) isa Matrix{Float32}
    @test (@inferred TileOps.clamp(x, nothing, 0)) isa Matrix{Float32}
    @test (@inferred TileOps.gelu(x; approximate=:tanh)) isa Matrix{Float32}
    @test (@inferred TileOps.silu_and_mul(x)) isa Matrix{Float32}
    @test (@inferred TileOps.add(1, 2)) === 3 && (@inferred TileOps.exp(0)) === 1.0f0
    @test Base.return_types(x -> TileOps.div(x, x; rounding=:floor), (Vector{Int},))[1] <: Union{Vector{Float32},Vector{Int}}
end

plain(x) = TileOps.relu.(x)
with_attribute(x) = TileOps.gelu.(x; approximate=:tanh)
inside(x, y) = 1 .+ TileOps.add.(x, y) .* 2
nested(x, y) = TileOps.relu.(TileOps.mul.(x, y))
@testset "dotted" begin
    @test (@inferred plain(x)) == TileOps.relu(x)
    @test (@inferred with_attribute(x)) == TileOps.gelu(x; approximate=:tanh)
    @test (@inferred inside(x, x)) == 1 .+ 4x
    @test (@inferred nested(x, i)) == max.(x .* i, 0)
    @test (@inferred nested(half, small)) isa Matrix{Float16}
    sparse_result = @inferred plain(sparse([0.0, -1.0, 2.0]))
    @test sparse_result isa SparseVector{Float64} && sparse_result == [0, 0, 2]
end
