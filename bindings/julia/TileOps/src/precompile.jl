# Calls that most programs make, compiled with the package rather than at first use.
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
    precompile(execute!, (Plan, A, A))
    precompile(execute!, (Plan, A, A, A))
end
