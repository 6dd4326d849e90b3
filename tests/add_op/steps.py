"""The steps that a document prints: which text goes where."""
import re
import textwrap

STEP = re.compile(r"In `([^`]+)`, (after the last|before the first) `([^`]+)`:\n\n *```\w+\n(.*?) *```", re.S)


def steps_of(document, section):
    """[(file, place, what a line of that place begins with, text)] of the section of that name."""
    text = re.search(rf"^## {section}$(.*?)(?=^## |\Z)", document.read_text(), re.M | re.S)[1]
    return [(path, place, start, textwrap.dedent(lines)) for path, place, start, lines in STEP.findall(text)]


def take(tree, step):
    path, place, start, text = step
    lines = (tree / path).read_text().splitlines(keepends=True)
    found = [i for i, line in enumerate(lines) if line.lstrip().startswith(start)]
    at = found[-1] + 1 if place == "after the last" else found[0]
    (tree / path).write_text("".join(lines[:at] + [text] + lines[at:]))
