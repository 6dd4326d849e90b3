"""The long documentation of operators (`tileops ops --json`, "details") as lines of Markdown, for
docs/operators.md and for the generators of the bindings."""

import re
import textwrap


def escaped(text):
    """Plain text as Markdown, code spans kept: what would be a link, a tag or emphasis is escaped."""
    parts = text.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\[\]*|])", r"\\\1", parts[i])
        parts[i] = re.sub(r"<(?=[A-Za-z/])", r"\\<", parts[i])
    return "`".join(parts)


def wrapped(line, width):
    """One line as several; those of an item of a list hang."""
    hang = "  " if line.startswith("- ") else ""
    options = dict(subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)
    # A space that must not become the end of a line is kept by a character that no text has.
    head, rest = line[:len(hang)], line[len(hang):]
    rest = re.sub(r" (?=([-+*>#=]+|\d+[.)]) )", "\0", rest)
    return [row.replace("\0", " ") for row in textwrap.wrap(head + rest, width, **options)]


def markdown_lines(details, width=96, escape=escaped):
    """Paragraphs and lists, with an empty line between any two."""
    lines = []
    for line in details.split("\n"):
        item = line.startswith("- ")
        if item and lines and lines[-1] and not lines[-1].startswith(("- ", "  ")):
            lines.append("")
        lines += wrapped(escape(line), width) or [""]
    return lines
