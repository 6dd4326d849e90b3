# Reads the JSON of the test vectors; packages cannot be had where the tests have to run.

function parse_json(text)
    value, at = json_value(text, json_space(text, 1))
    json_space(text, at) > ncodeunits(text) || error("JSON: text after the value")
    value
end

json_space(s, at) = (while at <= ncodeunits(s) && s[at] in " \t\r\n"; at += 1; end; at)

function json_value(s, at)
    c = s[at]
    c == '{' && return json_items(s, at, '}', Dict{String,Any}())
    c == '[' && return json_items(s, at, ']', Any[])
    c == '"' && return json_string(s, at)
    for (word, value) in (("true", true), ("false", false), ("null", nothing))
        startswith(SubString(s, at), word) && return value, at + length(word)
    end
    stop = at
    while stop <= ncodeunits(s) && s[stop] in "+-.0123456789eE"
        stop += 1
    end
    number = SubString(s, at, stop - 1)
    (any(c -> c in ".eE", number) ? parse(Float64, number) : parse(Int64, number)), stop
end

# The vectors' strings are names, digits and texts of expressions; of escapes they have that of a new line alone.
function json_string(s, at)
    stop = findnext('"', s, at + 1)
    value = SubString(s, at + 1, stop - 1)
    value = replace(value, "\\n" => "\n")
    occursin('\\', value) && error("JSON: an escape in a string")
    value, stop + 1
end

json_add!(list::Vector, s, at) = ((value, at) = json_value(s, at); push!(list, value); at)
function json_add!(dict::Dict, s, at)
    key, at = json_string(s, at)
    at = json_space(s, at)
    s[at] == ':' || error("JSON: no colon after \"$key\"")
    value, at = json_value(s, json_space(s, at + 1))
    dict[key] = value
    at
end

function json_items(s, at, close, items)
    at = json_space(s, at + 1)
    while s[at] != close
        at = json_space(s, json_add!(items, s, at))
        s[at] == ',' && (at = json_space(s, at + 1))
    end
    items, at + 1
end
