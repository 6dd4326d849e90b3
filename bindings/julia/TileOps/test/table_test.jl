# The generated table is the library's own.

struct COperandInfo
    name::Cstring
    optional::Int32
    dtypes::UInt32
    dtype::Ptr{UInt8}
end

text(s::Cstring) = unsafe_string(s)
loaded(p, n) = [unsafe_load(p, i) for i in 1:n]
operands(p, n) = loaded(Ptr{COperandInfo}(p), n)

function default_of(a::R.CAttrInfo)
    a.has_default == 0 && return nothing
    a.choices == C_NULL || return Symbol(split(unsafe_string(a.choices), "|")[a.default + 1])
    a.kind == 2 ? reinterpret(Int64, a.default) : reinterpret(Float64, a.default)
end

# As it is written, less the escapes of Markdown.
function docstring(name)
    docs = Base.Docs.meta(TileOps)[Base.Docs.Binding(TileOps, name)].docs
    replace(join(join(d.text) for d in values(docs)), "\\" => "")
end

@test ccall(R.LIB.tileops_op_count, Csize_t, ()) == length(TileOps.operators())
@testset "$(op.name)" for op in TileOps.operators()
    ref = R.sized_struct(R.COpInfo)
    R.check(ccall(R.LIB.tileops_op_describe, Int32, (Int32, Ref{R.COpInfo}), op.id, ref))
    c = ref[]
    @test text(c.name) == String(op.name) && text(c.category) == String(op.category) && text(c.doc) == op.doc
    @test [(Symbol(text(o.name)), o.optional != 0) for o in operands(c.inputs, c.max_inputs)] ==
        [(o.name, o.optional) for o in op.inputs]
    @test [(Symbol(text(o.name)), o.optional != 0) for o in operands(c.outputs, c.max_outputs)] ==
        [(o.name, o.optional) for o in op.outputs]
    attrs = loaded(c.attrs, c.num_attrs)
    @test [(a.key, Symbol(text(a.name))) for a in attrs] == [(a.key, a.name) for a in op.attributes]
    for (a, own) in zip(attrs, op.attributes)
        own.kind === :axis || @test default_of(a) === own.default
    end
    # A function each, with documentation.
    @test isdefined(TileOps, op.name) && isdefined(TileOps, Symbol(op.name, "!"))
    @test occursin(op.doc, docstring(op.name))
end
@test string(TileOps.operators()[1]) == "TileOps.OpInfo(:exp)"

# One rule: no operator is exported, in whatever form, since many have names of Base's or LinearAlgebra's.
@test sort!(names(TileOps)) == [:Context, :Expression, :Plan, :TileOps, :TileOpsError, :execute!]
@test all(op -> isdefined(TileOps, op.name) && isdefined(TileOps, Symbol(op.name, "!")), TileOps.operators())
