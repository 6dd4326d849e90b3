# Docstrings of the functions that definitions.jl makes. Examples, and what Julia says otherwise than the C library, are in
# examples.jl.

include("examples.jl")

# A docstring that is written when it is asked for; `@doc` takes a vector of pieces of text.
struct Docstring
    row::Union{OpRow,AlongRow}
end
Base.show(io::IO, text::Docstring) = print(io, docstring(text.row))
documentation(row) = Core.svec(Docstring(row))

# Plain text as Markdown, code spans kept: neither * nor _ mean anything.
function markdown(text)
    parts = map(String, split(text, "`"))
    for i in 1:2:length(parts)
        parts[i] = replace(parts[i], r"[*_]" => s"\\\0")
    end
    join(parts, "`")
end

# A call as code: lines of at most 92 characters, the later ones below the first argument.
function heading(name, (arguments, keywords))
    lines = String[""]
    for word in split("$name($(join(map(shown, arguments), ", ")); $(join(map(shown, keywords), ", ")))", " ")
        if length(lines[end]) + 1 + length(word) <= 92
            lines[end] *= (isempty(lines[end]) ? "" : " ") * word
        else
            push!(lines, " "^(length(name) + 1) * word)
        end
    end
    join(map(code, lines), "\n")
end
code(line) = "    " * line

shown(name::Symbol) = String(name)
shown(e::Expr) = e.head === :kw ? string(e.args[1], "=", shown_value(e.args[2])) : string(e)
shown_value(value) = value isa QuoteNode ? ":$(value.value)" : repr(value)

item(name, text) = "- `$name`: $text"
items(list) = join(list, "\n")

# Paragraphs, those that are empty left out.
paragraphs(parts) = join(filter(!isempty, parts), "\n\n")

example(name) = haskey(EXAMPLES, name) ? "```jldoctest\n$(EXAMPLES[name])\n```" : ""

function docstring(row::OpRow)
    row.size === :function && return function_docstring(row)
    name, result = String(row.name), row.outputs[1].name
    calls = String[heading(name, call_form(row)), heading(name * "!", call_form!(row))]
    is_elementwise(row) && push!(calls, code("$name.($(join(input_names(row), ", ")))"))
    listed = String[item(operand_name(row, o), o.dtypes * (o.optional ? ", may be absent" : "")) for o in row.inputs]
    for mask in optional_names(row)
        push!(listed, item(mask, "`true` to return it as well; in place, give `($result, $mask)`"))
    end
    append!(listed, map(attribute_item, row.attributes))
    note = get(NOTES, row.name, get(NOTES, row.category, ""))
    paragraphs(String[items(calls), markdown(row.doc) * ".", note, items(listed), example(row.name), "# Extended help", MAJOR_TEXT,
        markdown(long_text(row))])
end

function attribute_item(a::Attribute)
    text = get(ATTRIBUTE_TEXTS, a.name, markdown(a.doc))
    isempty(a.choices) || (text *= ": " * join(String["`:$c`" for c in a.choices], " or "))
    item(a.name, text)
end

# As the C library has it: `tileops ops NAME`. A list is a paragraph of its own.
function long_text(row::OpRow)
    parts = String[replace(remark, "\n- " => "\n\n- "; count=1) for remark in row.remarks]
    push!(parts, "Operands and their shapes:", items(String["- $(o.name) $(o.text)." for o in [row.inputs; row.outputs]]))
    isempty(row.attributes) ||
        push!(parts, "Attributes:", items(String["- $(a.name) ($(a.values)): $(a.doc)." for a in row.attributes]))
    paragraphs(append!(parts, row.rules))
end

function function_docstring(row::OpRow)
    given = join(map(shown, keywords(row)), ", ")
    called = join(input_names(row), ", ") * (isempty(given) ? "" : "; " * given)
    paragraphs(String[code("$(row.name).($called)"), markdown(row.doc) * ".", items(map(attribute_item, row.attributes)),
        "For expressions alone: there is no `$(row.name)!`."])
end

function docstring(row::AlongRow)
    given = Any[map(keyword, row.attributes); with_nothing(:context)]
    row.group && pushfirst!(given, keyword(:group, nothing))
    row.dims && pushfirst!(given, keyword(:dims, 1))
    calls = String[heading("$(row.name)!", (Any[:y; row.inputs], Any[given; with_nothing(:stream)]))]
    is_written(row) || pushfirst!(calls, heading(String(row.name), (row.inputs, given)))
    listed = map(attribute_item, row.attributes)
    row.group && pushfirst!(listed, item(:group, GROUP_TEXT))
    row.dims && pushfirst!(listed, item(:dims, get(DIMS_TEXTS, row.kind, DIMS_TEXTS[:reduce])))
    paragraphs(String[items(calls), markdown(row.doc) * ".", get(NOTES, row.name, get(NOTES, row.kind, "")), items(listed), example(row.name)])
end
