"""Reads what C++ files define and declare at the scope of a namespace, as far as the checks of the house need it: types,
functions, constants and variables, aliases, macros. No compiler: what macros make is not seen.
"""

import collections
import re
import sys

TOKEN = re.compile(r'''(?P<space>\s+|//[^\n]*|/\*.*?\*/)
                     | (?P<text>(?:u8|[uUL])?R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+')
                     | (?P<line>\#(?:\\\n|/\*.*?\*/|[^\n])*)
                     | (?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
                     | (?P<name>[A-Za-z_]\w*)
                     | (?P<sign>::|->|.)''', re.X | re.S)
Name = collections.namedtuple("Name", "kind key file line detail")  # the key: its namespace and the name itself
CLOSING = {"(": ")", "[": "]", "{": "}"}


class Reader:
    """What one file defines (`names`, and of classes `members`, by the class), and functions that it declares only."""

    def __init__(self, file, text):
        self.file, self.names, self.declared, self.members, self.tokens = file, [], [], [], []
        guard = re.match(r"(?:\s|//[^\n]*)*#ifndef (\w+)\n#define \1\n", text)
        self.guard = guard.group(1) if guard else None
        macros = {}
        line = 1
        for m in TOKEN.finditer(text):
            if m.lastgroup == "line":
                define = re.match(r"#\s*(define|undef)\s+(\w+)", m.group())
                if define and define.group(2) != self.guard:
                    macros.pop(define.group(2), None)
                    if define.group(1) == "define":
                        macros[define.group(2)] = line
                elif re.match(r'#\s*include\s.*\.def[">]', m.group()):  # a table undefines what reads it
                    macros.clear()
            elif m.lastgroup != "space":
                self.tokens.append((m.lastgroup if m.lastgroup != "mark" else "text", m.group(), line))
            line += m.group().count("\n")
        for name, at in macros.items():
            self.names.append(Name("macro", ("", name), file, at, ""))
        self.at = 0
        self.scope([])
        if self.at < len(self.tokens):
            sys.exit(f"{file}:{self.tokens[self.at][2]}: tests/house/sources.py cannot read this file: a brace too many")

    def word(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def is_name(self, ahead=0):
        return self.at + ahead < len(self.tokens) and self.tokens[self.at + ahead][0] == "name"

    def add(self, kind, namespaces, name, detail="", line=None):
        self.names.append(Name(kind, ("::".join(namespaces), name), self.file, line or self.tokens[self.at - 1][2], detail))

    def skip_pair(self):
        """From an opening bracket to behind the closing one; what is between."""
        begin, depth = self.at, 0
        while self.at < len(self.tokens):
            kind, word, _ = self.tokens[self.at]
            self.at += 1
            if kind == "sign":
                depth += (word in "([{") - (word in ")]}")
            if depth == 0:
                break
        return [t[1] for t in self.tokens[begin + 1:self.at - 1]]

    def skip_angles(self):
        """Of a list of template parameters or arguments."""
        depth = 0
        while self.at < len(self.tokens):
            if self.word() in CLOSING:
                self.skip_pair()
                continue
            depth += (self.word() == "<") - (self.word() == ">")
            self.at += 1
            if depth == 0:
                return

    def skip_to(self, *ends):
        while self.at < len(self.tokens) and self.word() not in ends:
            if self.word() in CLOSING:
                self.skip_pair()
            else:
                self.at += 1

    def scope(self, namespaces):
        """What is between the braces of a namespace, or in the whole file."""
        while self.at < len(self.tokens) and self.word() != "}":
            inline = self.word() == "inline" and self.word(1) == "namespace"
            if self.word(inline) == "namespace":
                self.namespace(namespaces, inline)
            elif self.word() == "extern" and self.tokens[self.at + 1][0] == "text" and self.word(2) == "{":
                self.at += 3
                self.scope(namespaces)
                self.at += 1
            elif self.word() == ";" or (self.word(1) == "namespace" and self.word() != "using"):  # what a macro alone makes before one
                self.at += 1
            else:
                self.declaration(namespaces)

    def namespace(self, namespaces, inline):
        self.at += 1 + inline
        path = []
        while self.word() not in ("{", "=", ""):
            if self.is_name() and self.word() != "inline":
                path.append(self.word())
            self.at += 1
        if self.word() == "=":
            return self.skip_to(";")
        self.at += 1
        self.scope(namespaces + ([] if inline else path))
        self.at += 1

    def declaration(self, namespaces):
        self.template = self.word() == "template"
        while self.word() == "template" or (self.word() == "[" and self.word(1) == "["):
            if self.word() == "[":
                self.skip_pair()
            else:
                self.at += 1
                if self.word() == "<":
                    self.skip_angles()
        if self.word() in ("using", "typedef", "static_assert", "friend"):
            return self.alias(namespaces)
        if self.is_name() and self.word().isupper() and self.word(1) == "(":  # a macro: TEST(...) {...}
            self.at += 1
            self.skip_pair()
            if self.word() == "{":
                self.skip_pair()
            return None
        while self.word() in ("static", "inline", "constexpr", "const", "typedef"):
            self.at += 1
        if self.word() in ("struct", "class", "union", "enum") and self.type(namespaces):
            return None
        return self.function_or_variable(namespaces)

    def alias(self, namespaces):
        if self.word(1) == "namespace" and namespaces:
            self.at += 1
            line = self.tokens[self.at][2]
            self.skip_to(";")
            self.add("using namespace", namespaces, "using namespace " + self.word(-1), line=line)
        named = self.word() == "using" and self.word(2) == "="
        if named:
            name, begin = self.word(1), self.at + 3
            self.at += 2
        self.skip_to(";", "}")
        if named:
            self.add("alias", namespaces, name, " ".join(t[1] for t in self.tokens[begin:self.at]))

    def type(self, namespaces):
        """A type's definition; False for a mere mention of it."""
        begin = self.at
        kind = self.word()
        self.at += 1
        if self.word() in ("class", "struct"):
            self.at += 1
        while self.word() == "[" or self.word() == "alignas":
            self.at += self.word() == "alignas"
            self.skip_pair()
        name, line = (self.word(), self.tokens[self.at][2]) if self.is_name() else ("", 0)
        self.at += bool(name)
        special = self.word() in ("<", "::")
        while self.word() not in ("{", ";", "=", "(", ""):
            if self.word() == "<":
                self.skip_angles()
            elif self.is_name() and self.word() not in ("final", "public", "private", "virtual") and \
                    self.tokens[self.at - 1][1] not in (":", "::", ",", "public", "private", "virtual"):
                break  # a variable or a function of that type
            else:
                self.at += 1
        if self.word() == ";":
            return True
        if self.word() != "{":
            self.at = begin + 1 + bool(name) if not special else begin + 1
            return False
        if name and not special:
            self.add(kind, namespaces, name, line=line)
        if kind == "enum" and self.tokens[begin + 1][1] not in ("class", "struct"):
            self.enumerators(namespaces)
        else:
            self.skip_pair()
        self.skip_to(";")
        return True

    def enumerators(self, namespaces):
        self.at += 1
        while self.word() not in ("}", ""):
            if self.is_name():
                self.at += 1
                self.add("enumerator", namespaces, self.tokens[self.at - 1][1])
            self.skip_to(",", "}")
            self.at += self.word() == ","
        self.at += 1

    def function_or_variable(self, namespaces):
        name = None  # the last one at this depth; None behind `<...>` or `::`, where it is none of this scope
        begin = self.at
        while self.at < len(self.tokens):
            word = self.word()
            if word == "operator":
                start = self.at
                self.at += 1 + 2 * (self.word(1) in ("(", "["))
                while self.word() not in ("(", ""):
                    self.at += 1
                name = "".join(t[1] for t in self.tokens[start:self.at])
            elif word in ("decltype", "alignas", "__attribute__", "noexcept") and self.word(1) == "(":
                self.at += 1
                self.skip_pair()
                name = None
            elif self.is_name():
                name = word if self.at == 0 or self.word(-1) not in ("::", "~") else None
                self.at += 1
            elif word == "<":
                self.skip_angles()
                name = None
            elif word == "(":
                return self.function(namespaces, name)
            elif word in ("=", "{", "[", ";", ","):
                if word == "[" and self.word(1) == "[":
                    self.skip_pair()
                    continue
                if any(t[1] == "extern" for t in self.tokens[begin:self.at]):
                    return self.skip_to(";")
                return self.variables(namespaces, name)
            elif word == "}":
                return None
            else:
                self.at += 1
        return None

    def variables(self, namespaces, name):
        while True:
            if name:
                self.add("variable", namespaces, name)
            self.skip_to(";", ",", "}")
            if self.word() != ",":
                return
            while self.word() in (",", "*", "&"):
                self.at += 1
            name = self.word() if self.is_name() else None
            self.at += 1

    def owner(self):
        """The class of `Class::name(`, at the bracket."""
        ahead = -1
        while self.is_name(ahead) and self.word(ahead - 1) in ("::", "~"):
            ahead -= 2 + (self.word(ahead - 1) == "~")
        return self.word(ahead) if ahead < -1 and self.is_name(ahead) else None

    def function(self, namespaces, name):
        line = self.tokens[self.at - 1][2]
        owner = self.owner()
        parameters = self.skip_pair()
        initialised = False
        while self.word() not in (";", "=", ""):
            if self.word() == "{":
                body = not initialised or not (self.is_name(-1) or self.word(-1) == ">")
                self.skip_pair()
                if body:
                    if name:
                        self.add("function", namespaces, name, types_of(parameters), line)
                    elif owner:
                        self.members.append(Name("member", ("::".join(namespaces), owner), self.file, line, ""))
                    return
            elif self.word() in CLOSING:
                self.skip_pair()
            elif self.word() == ":":
                initialised = True
                self.at += 1
            elif self.word() == "<":
                self.skip_angles()
            elif self.word() == "}":
                return
            else:
                self.at += 1
        if name and self.word() == ";" and not self.template:
            self.declared.append(Name("function", ("::".join(namespaces), name), self.file, line, types_of(parameters)))
        self.skip_to(";", "}")


def types_of(parameters):
    """Types of a list of parameters, without names and defaults."""
    types, one, depth, default = [], [], 0, False
    for word in parameters + [","]:
        if word == "," and depth == 0:
            named = len(one) > 1 and re.match(r"[A-Za-z_]", one[-1]) and one[-1] not in ("int", "char", "long", "const") and \
                one[-2] not in ("::", "const", "struct", "unsigned")
            types.append(" ".join(one[:-1] if named else one))
            one, default = [], False
            continue
        depth += (word in "([{<") - (word in ")]}>")
        if word == "=" and depth == 0:
            default = True
        if not default:
            one.append(word)
    return ", ".join(types)
