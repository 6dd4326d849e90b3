"""The device headers in units, and which units each of them needs.

A unit is a directive, a conditional block or a declaration at namespace scope; of a policy, whose members
are a function for every primitive, each member is one. A kernel's text is then made of the units that it
reaches: the whole of the headers takes the run-time compiler longer to read than the kernel to compile.

This knows no C++ but how these headers are written: declarations end at a brace or semicolon, names are
found by scope and spelling. A unit too many costs time; one too few does not compile, or, if it was a
specialization, changes the machine code, for which ctest cuda.units compares.
"""

import re

IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
REFERENCE = re.compile(r"(?<![.\w])((?:[A-Za-z_]\w*(?:<[^<>;(){}]*>)?\s*::\s*)*)([A-Za-z_]\w*)")
SPLIT_POLICIES = ("portable_f32", "portable_f64", "portable", "bit_exact", "bounded")
DEVICE = ("tileops", "device_detail")


class Unit:
    def __init__(self, text, scope):
        self.text, self.scope = text, scope  # scope: the lines that open its namespaces
        self.path = tuple(s.split()[-1] for s in scope if not s.startswith("inline"))
        self.names, self.references = set(), set()
        self.uses, self.needs = set(), set()  # numbers of units
        self.tags = set()  # what must be there for a specialization to be of use: (scope, name)
        self.head = None  # of a policy's member: the unit that opens the policy
        self.tail = None  # of that unit: the one that closes it


# ---- splitting

def balanced(text, at, opening, closing):
    """The place after the bracket that closes the one at `at`."""
    depth = 0
    while True:
        if text[at] == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        depth += {opening: 1, closing: -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return at


def line_end(text, at):
    while True:
        at = text.index("\n", at) + 1
        if text[at - 2] != "\\":
            return at


def conditional_end(text, at):
    depth = 0
    while True:
        end = line_end(text, at)
        word = re.match(r"\s*#\s*(\w+)", text[at:end])
        depth += 0 if not word else word[1].startswith("if") - (word[1] == "endif")
        at = end
        if depth == 0:
            return at


def declaration_end(text, at):
    macro = re.compile(r"TILEOPS_\w+\(").match(text, at)
    if macro:
        at = balanced(text, macro.end() - 1, "(", ")")
        return re.compile(r"[ \t]*;?").match(text, at).end()
    while text[at] not in "{;":
        at = balanced(text, at, "(", ")") if text[at] == "(" else at + 1
    if text[at] == ";":
        return at + 1
    at = balanced(text, at, "{", "}")
    return re.compile(r"(\s*;)?").match(text, at).end()


def split(text):
    """[Unit] of a text without comments."""
    at, scope, units = 0, [], []
    while True:
        at = re.compile(r"\s*").match(text, at).end()
        if at == len(text):
            return units
        namespace = re.compile(r"((?:inline )?namespace \w+) \{").match(text, at)
        if namespace:
            scope.append(namespace[1])
            end = namespace.end()
        elif text[at] == "}":
            scope.pop()
            end = at + 1
        else:
            if text[at] != "#":
                end = declaration_end(text, at)
            elif re.match(r"#\s*if", text[at:]):
                end = conditional_end(text, at)
            else:
                end = line_end(text, at)
            units.append(Unit(text[at:end].rstrip() + "\n", tuple(scope)))
        at = end


def split_policies(units):
    """The same, with the members of the large policies as units of their own."""
    out = []
    for unit in units:
        match = re.match(rf"struct ({'|'.join(SPLIT_POLICIES)})\b[^;{{]*\{{", unit.text)
        if not match:
            out.append(unit)
            continue
        end = unit.text.rindex("}")
        head = Unit(match[0] + "\n", unit.scope)
        members = split(unit.text[match.end():end] + "\n")
        out.append(head)
        for member in members:
            member.scope, member.path, member.head = unit.scope, unit.path, head
        out += members
        tail = Unit(unit.text[end:], unit.scope)
        tail.head = head
        head.tail = tail
        out.append(tail)
    return out


# ---- names

def template_end(text):
    at = 0
    while match := re.compile(r"\s*template\s*<").match(text, at):
        at = balanced(text, match.end() - 1, "<", ">")
    return at


def declared_name(text):
    """The name of a function or variable, and what follows it: the last name before a bracket or an initializer."""
    at, name = 0, None
    while text[at] not in "[;={(":
        word = IDENTIFIER.match(text, at)
        if not word:
            at = balanced(text, at, "<", ">") if text[at] == "<" else at + 1
            continue
        at = word.end()
        if word[0] in ("__launch_bounds__", "__attribute__", "alignas", "decltype"):
            at = balanced(text, at, "(", ")")
            continue
        name = word
        if text.startswith(" (&", at):  # a reference to an array: A (&name(...))[N]
            at += 3
    return name[0], text[name.end():]


def macros_of(units):
    """{name: (parameters, body)} of macros with parameters."""
    found = {}
    for unit in units:
        for match in re.finditer(r"#\s*define (\w+)\(([^)]*)\)((?:[^\\\n]|\\\n)*)", unit.text):
            found[match[1]] = ([p.strip() for p in match[2].split(",")], match[3].replace("\\\n", "\n"))
    return found


def macro_arguments(text):
    """As the preprocessor splits them: at commas outside of parentheses."""
    arguments, start, at = [], 0, 0
    while at < len(text):
        if text[at] == "(":
            at = balanced(text, at, "(", ")")
            continue
        if text[at] == ",":
            arguments.append(text[start:at].strip())
            start = at + 1
        at += 1
    return [*arguments, text[start:].strip()]


def expanded(text, macros):
    """A macro's invocation at namespace scope as what it declares."""
    name, arguments = re.match(r"(\w+)\((.*)\)", text, re.S).groups()
    parameters, body = macros[name]
    values = dict(zip(parameters, macro_arguments(arguments)))
    body = re.sub(r"\w+", lambda m: values.get(m[0], m[0]), body)
    return body.replace("##", "") + "\n"


def branches(text):
    """The units in a conditional block, of all its branches."""
    return split(re.sub(r"(?m)^\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b.*$", "", text) + "\n")


def declarations(text, macros):
    """[(name, template arguments of a specialization or None)] that a unit declares."""
    if re.match(r"#\s*if", text):
        return [d for u in branches(text) for d in declarations(u.text, macros)]
    if match := re.match(r"#\s*(?:define|undef)\s+(\w+)", text):
        return [(match[1], None)]
    if text.startswith("#"):
        return []
    if re.match(r"TILEOPS_\w+\(", text):
        return [d for u in split(expanded(text, macros)) for d in declarations(u.text, macros)]
    rest = text[template_end(text):].lstrip()
    if re.match(r"static_assert|using namespace", rest):
        return [("*", None)]
    if match := re.match(r"using (\w+)\s*=|using [\w:]*::(\w+)\s*;", rest):
        return [(match[1] or match[2], None)]
    head = re.match(r"(?:struct|enum class)\s+(?:alignas\([^)]*\)\s*)?(\w+)", rest)
    name, after = (head[1], rest[head.end():]) if head else declared_name(rest)
    after = after.lstrip()
    return [(name, after[:balanced(after, 0, "<", ">")] if after.startswith("<") else None)]


def references(text, spaces, macros):
    """{(namespace, "member" or "", name)} that a unit mentions."""
    found = set()
    if re.match(r"#\s*if", text):
        found = set.union(set(), *(references(u.text, spaces, macros) for u in branches(text)))
    elif re.match(r"TILEOPS_\w+\(", text):
        text += expanded(text, macros)
    for match in REFERENCE.finditer(re.sub(r'"[^"\n]*"', "", text)):
        parts = [re.sub(r"<.*", "", p, flags=re.S).strip() for p in match[1].split("::")[:-1]]
        found |= {("", p) for p in parts}
        found |= {("", n) for n in IDENTIFIER.findall(match[1]) if n not in parts}
        space = "" if not parts else parts[-1] if parts[-1] in spaces else "member"
        found.add((space, match[2]))
    return found


def policies_of(units):
    """The portable policy and those made of it."""
    found = set(SPLIT_POLICIES)
    while True:
        more = {m[1] for u in units
                if (m := re.search(r"struct (\w+) : (\w+)[^;{]*\{", u.text)) and m[2] in found
                and u.path == DEVICE}
        if more <= found:
            return found
        found |= more


# ---- resolving

def is_directive(unit):
    return unit.text.startswith("#")


def visible(user, unit, space):
    """Whether `user` may mean `unit` by its name, qualified by the namespace `space` or not."""
    if space:
        return unit.path[-1:] == (space,)
    return is_directive(unit) or unit.path == user.path[:len(unit.path)] or unit.path == DEVICE


def name_units(units, spaces):
    """Fills in what each unit declares, mentions, and, of specializations, is made for."""
    macros, policies = macros_of(units), policies_of(units)
    for number, unit in enumerate(units):
        unit.number = number
        unit.references = references(unit.text, spaces, macros)
        if unit.tail:
            unit.names = {re.match(r"struct (\w+)", unit.text)[1]}
        elif not unit.text.startswith("}"):
            declared = declarations(unit.text, macros)
            unit.names = {name for name, _ in declared}
            special = [arguments for name, arguments in declared if name not in macros]
            if special and None not in special:
                unit.tags = set.intersection(*(
                    {(space, name) for space, name in references(a, spaces, macros)
                     if space == "op" or name in policies} for a in special))


def resolve(units):
    """Fills in `uses` and `needs`."""
    spaces = {name for u in units for name in u.path}
    name_units(units, spaces)
    by_name = {}
    for unit in units:
        for name in unit.names:
            by_name.setdefault(name, []).append(unit)
    for unit in units:
        for space, name in unit.references:
            for other in by_name.get(name, []):
                if other.head:
                    reached = space == "member" or (space == "" and unit.head is not None)
                else:
                    reached = space != "member" and visible(unit, other, space)
                if reached and other is not unit:
                    unit.uses.add(other.number)
        if unit.head:
            unit.needs.add(unit.head.number)
        if unit.tail:  # directives among the members come with it
            unit.uses |= {o.number for o in units if o.head is unit and (is_directive(o) or o is unit.tail)}
        for space, name in unit.tags:
            primary = next(o for o in by_name[name] if visible(unit, o, space) and not o.tags)
            unit.needs.add(primary.number)
