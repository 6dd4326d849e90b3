"""The rows of include/tileops/dtypes.def, for scripts."""

import pathlib
import re

PATH = pathlib.Path(__file__).resolve().parent.parent / "include/tileops/dtypes.def"


def dtypes():
    """[{column: text}] in the table's order; code, bits and lanes are numbers."""
    text = PATH.read_text()
    columns = re.search(r"TILEOPS_DTYPE\((id, .*?)\)", text, re.S)[1]
    columns = re.sub(r"[\s*]+", "", columns).split(",")
    rows = []
    for line in re.findall(r"^TILEOPS_DTYPE\((.*)\)$", text, re.M):
        values = [value.strip('"') for value in re.findall(r'"[^"]*"|[^,\s]+', line)]
        assert len(values) == len(columns), line
        row = dict(zip(columns, values))
        rows.append(row | {name: int(row[name]) for name in ("code", "bits", "lanes")})
    return rows
