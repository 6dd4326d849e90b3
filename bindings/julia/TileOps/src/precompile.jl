# Calls that most programs make, compiled with the package rather than at first use.
dotted_product(x, y) = silu.(x) .* y
dotted_sum!(out, x, y, z) = out .= silu.(x) .* y .+ z

for T in (Float32, Float64), N in (1, 2)
    A = Array{T,N}
    for f in (exp, tanh, sigmoid, relu, gelu, silu)
        precompile(f, (A,))
    end
    for f in (add, sub, mul, div, maximum, minimum)
        precompile(f, (A, A))
        precompile(f, (A, T))
    end
    for f in (exp!, tanh!, sigmoid!, relu!, gelu!, silu!)
        precompile(f, (A, A))
    end
    for f in (add!, sub!, mul!, div!)
        precompile(f, (A, A, A))
    end
    precompile(dotted_product, (A, A))
    precompile(dotted_sum!, (A, A, A, A))
    precompile(execute!, (Plan, A, A))
    precompile(execute!, (Plan, A, A, A))
end
