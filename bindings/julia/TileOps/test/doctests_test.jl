# The examples of the docstrings print what they say. Expected output is that of current versions of
# Julia; what 1.5 prints otherwise is rewritten before it is compared.

function modern(text)
    for (old, new) in (r"Array\{(\w+), ?1\}" => s"Vector{\1}", r"Array\{(\w+), ?2\}" => s"Matrix{\1}",
                       r"(\{[\w.]+),(\w)" => s"\1, \2")
        text = replace(text, old => new)
    end
    rstrip(text)
end

# [(code, expected output)] of a block.
function examples(block)
    pairs = Tuple{String,String}[]
    for part in split(block, r"^julia> "m; keepempty=false)
        lines = split(part, "\n")
        stop = something(findfirst(l -> !startswith(l, "       ") || isempty(strip(l)), lines[2:end]), length(lines)) 
        push!(pairs, (join(lines[1:stop], "\n"), strip(join(lines[stop+1:end], "\n"), '\n')))
    end
    pairs
end

# What the REPL prints for the value.
function shown(code, sandbox)
    value = include_string(sandbox, code)
    (value === nothing || endswith(code, ";")) && return ""
    sprint(show, MIME("text/plain"), value; context=:limit => true)
end

# All docstrings of a module.
function docstrings(m)
    [(binding, join(doc.text)) for (binding, multi) in Base.Docs.meta(m) for doc in values(multi.docs)]
end

checked = 0
for (binding, text) in vcat(docstrings(TileOps), docstrings(R)), block in eachmatch(r"```jldoctest\n(.*?)```"s, text)
    sandbox = Module()
    Core.eval(sandbox, :(using TileOps))
    for (code, expected) in examples(block.captures[1])
        global checked += 1
        got = shown(code, sandbox)
        modern(got) == modern(expected) || println("doctest of $binding: $code\nprinted:\n$got\nexpected:\n$expected")
        @test modern(got) == modern(expected)
    end
    forget_variables(sandbox)
end
println("doctests: $checked examples")
@test checked >= 25

# Whatever is for users says what it is.
for name in (names(TileOps)..., :call, :call!, :devices, :functional, :versioninfo, :from_dlpack, :to_dlpack, :TensorSpec,
             :ManagedArray, :set_library!, :operators, :plan_info, :undefined_tensor, :copy_tensor!, :BFloat16, :OpInfo,
             :Expression, :expression_info, :gradient, :infer, :named, :named_expressions, :fma)
    @test !occursin("No documentation found", string(Base.Docs.doc(Base.Docs.Binding(TileOps, name))))
end
