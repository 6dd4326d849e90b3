# The functions of the tables' rows, as expressions for the parent module, where names of Base are free. Lists are of Any:
# this runs once, when the package is compiled, and is to be compiled fast itself.

definitions() = Any[map(operator_definition, OPERATOR_ROWS); map(function_definition, FUNCTION_ROWS);
    map(along_definition, ALONG_ROWS); map(attributed_definition, elementwise_rows())]

# What maps elements, so that it may be dotted; and what does not.
is_elementwise(row::OpRow) = row.size === :broadcast || row.size === :function
elementwise_rows() = OpRow[filter(is_elementwise, OPERATOR_ROWS); FUNCTION_ROWS]
whole_names() = Symbol[row.name for rows in (OPERATOR_ROWS, ALONG_ROWS) for row in rows if is_whole(row)]
is_whole(row::OpRow) = !is_elementwise(row)
is_whole(row::AlongRow) = !is_written(row)
# What leaves of its result what it does not write: there is only f!.
is_written(row::AlongRow) = row.kind in (:scatter, :store_if)

keyword(name, value) = Expr(:kw, name, value)
keyword(a::Attribute) = keyword(a.name, a.default isa Symbol ? QuoteNode(a.default) : a.default)
with_nothing(names...) = Any[keyword(name, nothing) for name in names]
value_of(name::Symbol) = :(Val($(QuoteNode(name))))

# An operand that shares its name with an attribute has another one here: the attribute stands in for it.
operand_name(row::OpRow, o::Operand) = in(o.name, attribute_names(row)) ? Symbol(o.name, "_tensor") : o.name
input_names(row::OpRow) = Any[operand_name(row, o) for o in row.inputs]
output_name(row::OpRow) = in(row.outputs[1].name, input_names(row)) ? :out : row.outputs[1].name
optional_names(row::OpRow) = Any[row.outputs[k].name for k in 2:length(row.outputs)]
attribute_names(row::Union{OpRow,AlongRow}) = Any[a.name for a in row.attributes]

arguments(row::OpRow) =
    Any[o.optional ? keyword(operand_name(row, o), nothing) : operand_name(row, o) for o in row.inputs]

# Where the result's dtype depends on a choice, its absence is a type that the compiler knows.
keywords(row::OpRow) =
    Any[row.result === :quotient && a.kind === :choice ? keyword(a.name, nothing) : keyword(a) for a in row.attributes]

# What f and f! are called with, as they are defined and as docstrings show them: arguments and keywords.
function call_form(row::OpRow)
    masks = Any[keyword(name, false) for name in optional_names(row)]
    (row.size === :given ? Any[:size; arguments(row)] : arguments(row), Any[masks; keywords(row); with_nothing(:dtype, :context)])
end
call_form!(row::OpRow) = (Any[output_name(row); arguments(row)], Any[keywords(row); with_nothing(:context, :stream)])

function operator_definition(row::OpRow)
    f, f!, text, op = row.name, Symbol(row.name, "!"), documentation(row), :(Runtime.$(constant_name(row.name)))
    inputs, values, masks = input_names(row), attribute_names(row), optional_names(row)
    extra = row.size === :given ? Any[keyword(:size, :size)] : Any[]
    isempty(masks) || push!(extra, keyword(:optional, :(($(masks...),))))
    (given, said), (given!, said!) = call_form(row), call_form!(row)
    quote
        @doc $text $f($(given...); $(said...)) =
            Runtime.apply($op, ($(inputs...),), ($(values...),); dtype=dtype, context=context, $(extra...))
        @doc $text $f!($(given!...); $(said!...)) =
            Runtime.apply!($op, $(given![1]), ($(inputs...),), ($(values...),); context=context, stream=stream)
    end
end

function function_definition(row::OpRow)
    inputs, attributes = input_names(row), isempty(row.attributes) ? Any[] : Any[:(attributes...)]
    :(@doc $(documentation(row)) $(row.name)($(inputs...); $(attributes...)) =
        Runtime.elementwise(Runtime.Attributed($(row.name); $(attributes...)), $(inputs...)))
end

# f.(x) is of f with its attributes; see broadcast.jl.
attributed_definition(row::OpRow) = :(Runtime.Attributed(::typeof($(row.name)); k...) =
    Runtime.Attributed($(value_of(row.name)), Runtime.$(constant_name(row.name)); k...))

# ------------------------------------------------------------------ along dimensions -------

# `dims` follows from `group` where it is not said.
function keywords(row::AlongRow)
    dims = row.group ? Any[keyword(:group, nothing), keyword(:dims, :(Runtime.first_dims(group)))] :
        row.dims ? Any[keyword(:dims, 1)] : Any[]
    append!(dims, map(keyword, row.attributes))
end

function along_definition(row::AlongRow)
    f, f!, text, inputs = row.name, Symbol(row.name, "!"), documentation(row), :(($(row.inputs...),))
    given = isempty(row.attributes) ? :(NamedTuple()) : Expr(:tuple, (Expr(:(=), name, name) for name in attribute_names(row))...)
    said = Any[row.dims ? :dims : nothing, row.group ? :group : nothing, given]
    in_place = :(@doc $text $f!(y, $(row.inputs...); $(keywords(row)...), context=nothing, stream=nothing) =
        Runtime.along!($(value_of(f)), y, $inputs, $(said...); context=context, stream=stream))
    is_written(row) && return in_place
    quote
        @doc $text $f($(row.inputs...); $(keywords(row)...), context=nothing) =
            Runtime.along($(value_of(f)), $inputs, $(said...); context=context)
        $in_place
    end
end
