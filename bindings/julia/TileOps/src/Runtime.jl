"""
The binding's own code. The operators are in the parent module, because many of them have names that
this code needs from Base.
"""
module Runtime

using Libdl: Libdl
using LinearAlgebra: Adjoint, Transpose
using Random: Random
using Serialization: AbstractSerializer, Serialization

include("generated/constants.jl")
include("library.jl")
include("capi.jl")
include("errors.jl")
include("dtypes.jl")
include("table.jl")
include("numbers.jl")
include("memory.jl")
include("handles.jl")
include("context.jl")
include("attributes.jl")
include("expression.jl")
include("workspace.jl")
include("plan.jl")
include("open.jl")
include("list.jl")
include("phases.jl")
include("tree.jl")
include("apply.jl")
include("expression_calls.jl")
include("parts.jl")
include("base_functions.jl")
include("sites.jl")
include("rows.jl")
include("broadcast.jl")
include("undotted.jl")
include("dlpack.jl")
include("devices.jl")
include("docstrings.jl")
include("definitions.jl")

end
