# Wrong calls: each throws a typed error that names what is wrong, and writes nothing.
x, y, z = rand(Float32, 3, 4), fill(99.0f0, 3, 4), rand(Float32, 3, 4)
i, flag = [1, 2, 3], [true, false, true]
plan = Plan(:add, y, x, z)
closed_plan = Plan(:neg, y, x)
close(closed_plan)
closed_context = Context()
close(closed_context)
line = collect(1.0f0:10.0f0)
specs(n...) = TileOps.TensorSpec(Float32, n)

const WRONG = R.STATUS_INVALID_ARGUMENT
const NOT_FOR_IT = R.STATUS_UNSUPPORTED

struct Offset <: AbstractVector{Float32} end
Base.size(::Offset) = (3,)
Base.getindex(::Offset, i::Int) = 0.0f0

# (what is wrong, status, argument, text of the message, the call)
table = [
    ("an unknown operator", WRONG, "op", "sqare", () -> TileOps.call(:sqare, x)),
    ("an unknown attribute", WRONG, "attrs", "alfa", () -> TileOps.call(:add, x, z; alfa=2)),
    ("an unknown attribute of a plan", WRONG, "attrs", "alfa", () -> Plan(:add, y, x, z; alfa=2)),
    ("an attribute that is no number", WRONG, "attrs", "'alpha'", () -> TileOps.add(x, z; alpha="two")),
    ("an attribute out of its range", WRONG, "attrs", "decimals", () -> TileOps.round(x; decimals=100)),
    ("an attribute that is not integral", WRONG, "attrs", "decimals", () -> TileOps.round(x; decimals=1.5)),
    ("an attribute too large", WRONG, "attrs", "decimals", () -> TileOps.round(x; decimals=big(2)^70)),
    ("an unknown choice", WRONG, "attrs", ":tanh", () -> TileOps.gelu(x; approximate=:tan)),
    ("a choice by its number", WRONG, "attrs", ":tanh", () -> TileOps.gelu(x; approximate=1)),
    ("an axis of 0", WRONG, "attrs", "1 to 2", () -> TileOps.prelu(x, rand(Float32, 3); axis=0)),
    ("an axis too large", WRONG, "attrs", "1 to 2", () -> TileOps.prelu(x, rand(Float32, 3); axis=3)),
    ("a dtype the operator does not take", NOT_FOR_IT, "inputs[0]", "gelu", () -> TileOps.gelu(i)),
    ("a dtype the library does not have", NOT_FOR_IT, "dtype", "Complex", () -> TileOps.neg([1.0im])),
    ("a result of such a dtype", NOT_FOR_IT, "dtype", "BigFloat", () -> TileOps.neg(x; dtype=BigFloat)),
    ("dtypes without a common one", NOT_FOR_IT, "inputs", "UInt64", () -> TileOps.add(UInt64[1], Int64[1])),
    ("a mask that is not Bool", NOT_FOR_IT, "inputs[0]", "bool", () -> TileOps.where(i, x[:, 1], z[:, 1])),
    ("sizes that do not broadcast", WRONG, "inputs[1]", "broadcast", () -> TileOps.add(x, rand(Float32, 2))),
    ("an output of the wrong size", WRONG, "outputs[0]", "shape", () -> TileOps.add!(zeros(Float32, 3), x, z)),
    ("an output of a wrong rank", WRONG, "outputs[0]", "shape", () -> Plan(:neg, specs(3, 4, 1), specs(3, 4))),
    ("too few operands", WRONG, "", "add", () -> TileOps.call!(:add, y, x)),
    ("too many operands", WRONG, "", "neg", () -> TileOps.call!(:neg, y, x, x)),
    ("too many outputs", WRONG, "", "neg", () -> TileOps.call!(:neg, (y, y), x)),
    ("no output", WRONG, "outputs", "none", () -> TileOps.call!(:neg, (), x)),
    ("no output of a plan", WRONG, "outputs", "none", () -> execute!(plan, (), x, z)),
    ("an absent output", WRONG, "outputs[0]", "", () -> TileOps.neg!(nothing, x)),
    ("an absent input", WRONG, "inputs[1]", "b is absent", () -> TileOps.add!(y, x, nothing)),
    ("a number as output", WRONG, "output", "Float64", () -> TileOps.neg!(1.0, x)),
    ("a string as input", WRONG, "operand", "String", () -> TileOps.neg("x")),
    ("a range, which has no memory", NOT_FOR_IT, "operand", "UnitRange", () -> TileOps.neg(1:3)),
    ("a bit array", NOT_FOR_IT, "operand", "BitArray", () -> TileOps.gt!(falses(3, 4), x, z)),
    ("a view with a list of indices", NOT_FOR_IT, "operand", "SubArray", () -> TileOps.neg(view(x, [1, 3], :))),
    ("an array type of somebody's own", NOT_FOR_IT, "operand", "Offset", () -> TileOps.neg(Offset())),
    ("complex numbers, conjugated", NOT_FOR_IT, "", "", () -> TileOps.neg([1.0im 2.0]')),
    ("an output that overlaps an input", WRONG, "outputs[0]", "overlap", () -> TileOps.neg!(view(line, 1:5), view(line, 2:6))),
    ("an output whose elements share an address", WRONG, "outputs[0]", "",
     () -> Plan(:neg, TileOps.TensorSpec(Float32, (3, 4), (1, 0)), specs(3, 4))),
    ("a closed plan", WRONG, "plan", "closed", () -> execute!(closed_plan, y, x)),
    ("a closed plan asked for", WRONG, "plan", "closed", () -> TileOps.plan_info(closed_plan)),
    ("a closed context", WRONG, "context", "closed", () -> TileOps.neg(x; context=closed_context)),
    ("a plan for other sizes", WRONG, "inputs[0]", "shape", () -> execute!(plan, y, rand(Float32, 3, 3), z)),
    ("a plan for other dtypes", WRONG, "inputs[1]", "dtype", () -> execute!(plan, y, x, rand(3, 4))),
    ("a plan for other strides", WRONG, "inputs[0]", "stride", () -> execute!(plan, y, Array(x')', z)),
    ("a plan for more operands", WRONG, "num_inputs", "", () -> execute!(plan, y, x)),
    ("a plan of overlapping buffers", WRONG, "outputs[0]", "overlap",
     () -> execute!(Plan(:neg, view(line, 1:5), view(line, 1:5)), view(line, 1:5), view(line, 2:6))),
    ("an execute without memory", WRONG, "inputs[0]", "NULL", () -> execute!(Plan(:neg, specs(3), specs(3)), specs(3), specs(3))),
    ("a stream on the CPU", WRONG, "stream", "", () -> execute!(plan, y, x, z; stream=Ptr{Cvoid}(16))),
    ("operand and attribute at once", WRONG, "", "", () -> TileOps.clamp(x, 0; min=0)),
    ("neither bound of clamp", WRONG, "attrs", "clamp", () -> TileOps.clamp(x)),
    ("no exponent", WRONG, "inputs[1]", "exponent", () -> TileOps.pow(x)),
    ("an odd size to halve", WRONG, "", "", () -> TileOps.silu_and_mul(rand(Float32, 3))),
    ("a size that is no tuple", WRONG, "size", "3", () -> TileOps.sinusoidal(3)),
    ("no size", WRONG, "size", "needed", () -> TileOps.call(:alibi)),
    ("a negative size", WRONG, "", "", () -> TileOps.undefined_tensor(Float32, (-1, 2))),
    ("strides of another number", WRONG, "strides", "need 2", () -> TileOps.TensorSpec(Float32, (2, 2), (1,))),
    ("an unknown device", WRONG, "device", ":tpu", () -> TileOps.undefined_tensor(Float32, (1,); device=:tpu)),
    ("an unknown instruction set", WRONG, "", "avx9", () -> Context(cpu_isa="avx9")),
    ("a text with a NUL", WRONG, "cpu_isa", "NUL", () -> Context(cpu_isa="avx2\0")),
    ("a negative number of threads", WRONG, "", "", () -> Context(num_threads=-1)),
    ("a number of threads too large", WRONG, "num_threads", "range", () -> Context(num_threads=2^40)),
    ("an unknown cache mode", WRONG, "cache", ":rw", () -> Context(cache=:rw)),
    ("an unknown log level", WRONG, "level", ":loud", () -> TileOps.log_level!(:loud)),
    ("a DLPack tensor of NULL", WRONG, "tensor", "NULL", () -> TileOps.from_dlpack(C_NULL)),
    ("a copy between sizes", WRONG, "", "", () -> TileOps.copy_tensor!(zeros(Float32, 2), zeros(Float32, 3))),
    ("an integer attribute where a float was meant", WRONG, "attrs", "", () -> TileOps.add(i, i; alpha=0.5)),
]
@test length(table) >= 25

copies = map(copy, (x, y, z, i, line))
@testset "$what" for (what, status, argument, text, call) in table
    error = try
        call()
        nothing
    catch e
        e
    end
    @test error isa TileOpsError
    if error isa TileOpsError
        right = error.status == status && startswith(error.argument, argument) && occursin(text, error.message)
        right || println(what, ": ", error)
        @test right
        @test occursin(error.message, sprint(showerror, error))
    end
end
@test copies == (x, y, z, i, line)

# Arguments that no method takes are Julia's own error.
@test_throws MethodError TileOps.add(x)
@test_throws MethodError TileOps.neg(x; alpha=2)
@test string(R.Status(99)) == "Status(99)" && string(WRONG) == "INVALID_ARGUMENT"
@test sprint(showerror, TileOps.LibraryError("none")) == "TileOps.LibraryError: none"
