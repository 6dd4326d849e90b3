# What docstrings say beyond the tables: examples, and what has other words for Julia.

# Printed by current versions of Julia; test/doctests_test.jl runs them.
const EXAMPLES = Dict([
    :exp => """
        julia> TileOps.exp.([0.0, 1.0])
        2-element Vector{Float64}:
         1.0
         2.718281828459045""",
    :round => """
        julia> TileOps.round([0.5, 1.25, 2.5]; decimals=1)
        3-element Vector{Float64}:
         0.5
         1.2
         2.5""",
    :add => """
        julia> TileOps.add([1 2; 3 4], [10, 20])
        2×2 Matrix{Int64}:
         11  12
         23  24""",
    :div => """
        julia> TileOps.div([7, -7], 2; rounding=:floor)
        2-element Vector{Int64}:
          3
         -4""",
    :pow => """
        julia> TileOps.pow([1.0, 2.0, 3.0]; exponent=2)
        3-element Vector{Float64}:
         1.0
         4.0
         9.0""",
    :lerp => """
        julia> TileOps.lerp([0.0, 10.0], [10.0, 20.0]; weight=0.25)
        2-element Vector{Float64}:
          2.5
         12.5""",
    :gelu => """
        julia> TileOps.gelu(Float32[0, 10])
        2-element Vector{Float32}:
          0.0
         10.0""",
    :hardtanh => """
        julia> TileOps.hardtanh([-3.0, 0.5, 3.0])
        3-element Vector{Float64}:
         -1.0
          0.5
          1.0""",
    :prelu => """
        julia> TileOps.prelu([-1.0 -2.0; 3.0 -4.0], [0.5, 0.25]; axis=2)
        2×2 Matrix{Float64}:
         -0.5  -0.5
          3.0  -1.0""",
    :silu_and_mul => """
        julia> TileOps.silu_and_mul([0.0, 100.0, 3.0, 4.0])
        2-element Vector{Float64}:
           0.0
         400.0""",
    :gt => """
        julia> TileOps.gt([1, 2, 3], 2)
        3-element Vector{Bool}:
         0
         0
         1""",
    :bitwise_xor => """
        julia> TileOps.bitwise_xor(UInt8[0x0f], UInt8[0xff])
        1-element Vector{UInt8}:
         0xf0""",
    :logical_not => """
        julia> TileOps.logical_not([0.0, 2.0])
        2-element Vector{Bool}:
         1
         0""",
    :where => """
        julia> TileOps.where([true, false], [1.0, 2.0], -1.0)
        2-element Vector{Float64}:
          1.0
         -1.0""",
    :clamp => """
        julia> TileOps.clamp([-5, 0, 5]; min=-1, max=3)
        3-element Vector{Int64}:
         -1
          0
          3""",
    :masked_fill => """
        julia> TileOps.masked_fill([1, 2], [true, false]; value=0)
        2-element Vector{Int64}:
         0
         2""",
    :nan_to_num => """
        julia> TileOps.nan_to_num([NaN, Inf]; posinf=1e3)
        2-element Vector{Float64}:
            0.0
         1000.0""",
    :cast => """
        julia> TileOps.cast([1.75, -300.0]; dtype=Int8)
        2-element Vector{Int8}:
            1
         -128""",
    :dropout => """
        julia> TileOps.dropout([1.0, 2.0]; training=false)
        2-element Vector{Float64}:
         1.0
         2.0""",
    :alibi => """
        julia> TileOps.alibi((2, 2, 1))
        2×2×1 Array{Float32, 3}:
        [:, :, 1] =
         -0.0         -0.00390625
         -0.00390625  -0.0""",
    :sinusoidal => """
        julia> TileOps.sinusoidal((2, 2); dtype=Float64)
        2×2 Matrix{Float64}:
         0.0  0.841471
         1.0  0.540302""",
    :sum => """
        julia> TileOps.sum([1 2; 3 4])
        1×2 Matrix{Int64}:
         4  6""",
    :amax => """
        julia> TileOps.amax([1.0, 5.0, 2.0, 4.0, 3.0]; group=2)
        3-element Vector{Float64}:
         5.0
         4.0
         3.0""",
    :var => """
        julia> TileOps.var([1.0 2.0; 3.0 6.0]; dims=:, correction=1)
        1×1 Matrix{Float64}:
         4.666666666666667""",
    :argmax => """
        julia> TileOps.argmax([1 9; 7 3]; dims=2)
        2×1 Matrix{Int64}:
         2
         1""",
    :spread => """
        julia> TileOps.spread([5.0, 4.0, 3.0], zeros(5); group=2)
        5-element Vector{Float64}:
         5.0
         5.0
         4.0
         4.0
         3.0""",
    :gather => """
        julia> TileOps.gather([10 20 30; 40 50 60], [3 1]; dims=2)
        2×2 Matrix{Int64}:
         30  10
         60  40""",
    :scatter => """
        julia> TileOps.scatter!([0, 0, 0], [7, 8], [3, 1])
        3-element Vector{Int64}:
         8
         0
         7""",
    :store_if => """
        julia> TileOps.store_if!([0, 0, 0], [7, 8, 9], [true, false, true])
        3-element Vector{Int64}:
         7
         0
         9""",
    :scatter_add => """
        julia> TileOps.scatter_add!([9, 9, 9], [1, 1, 1], [3, 1, 3])
        3-element Vector{Int64}:
         1
         0
         2""",
])
const INDICES_NOTE = "Indices count from 1, one array of them for each of `dims`; all other dimensions are broadcast. An index " *
    "that is 0 or less, or beyond the size, is outside: "
const COUNTS_NOTE = "It counts from 1, over several `dims` as `LinearIndices` of them."

# What dimensions and indices are in Julia; by the name of a row, its category or its kind.
const NOTES = Dict(
    :prelu => "`weight` has one element, or one for each index along `axis`. Left out, `axis` is the last but one " *
        "dimension: the channels of arrays with the batch last.",
    :fused_gated => "Without `value` the first dimension of `gate` holds both: its first half is the gate, its second the " *
        "value, and the result has half its size.",
    :rope => "The first dimension of `x` is the head's, which is rotated in pairs; `seq_axis` is the dimension that " *
        "positions run along, left out the second of two, else the third.",
    :alibi => "`size` is `(Sk, Sq, H)`: keys, queries, heads.",
    :sinusoidal => "`size` is `(D, S)`: features, positions.",
    :gather => INDICES_NOTE * "it gives NaN, of integers 0.",
    :scatter => INDICES_NOTE * "nothing is written there.",
    :argmax => COUNTS_NOTE,
    :argmin => COUNTS_NOTE,
)

# Attributes that the table's text does not fit.
const ATTRIBUTE_TEXTS = Dict(
    :axis => "channel dimension",
    :seq_axis => "position dimension",
    :interleaved => "1: pairs of neighbours; 0: of elements half a head apart",
    :reverse => "from the last element to the first",
    :exclusive => "without the element itself",
)

const MAJOR_TEXT = "The text of the C library's table. Its shapes are in row-major order: here dimensions come in the reverse " *
    "order, and the last one there is the first."

# The dimensions of a function along them, by its kind.
const DIMS_TEXTS = Dict(
    :reduce => "dimensions that it goes along: an integer, several in a tuple, or `:` for all; they stay, with size 1",
    :scan => "the dimension that it goes along",
    :gather => "the dimension that it goes along, or a tuple with one for each index",
    :scatter => "the dimension that it goes along, or a tuple with one for each index",
)

const GROUP_TEXT = "cuts a dimension into groups of so many elements, of which the last may be short; a tuple, with a number " *
    "for each of `dims`, into rectangles (`dims` is `(1, 2)` then, unless it is said)"
