#!/usr/bin/env python3
"""Takes the examples out of the README: readme.py README FOLDER writes each block that follows a
line `<!-- file: NAME -->` to FOLDER/NAME."""

import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
blocks = re.findall(r"^<!-- file: (\S+) -->\n```\w*\n(.*?)^```$", text, re.M | re.S)
names = [name for name, _ in blocks]
if names != ["create.sh", "main.rs", "run.sh", "expected.log", "expression.rs", "expression.log"]:
    sys.exit(f"{sys.argv[1]}: the blocks of the examples are {names}")
for name, block in blocks:
    (pathlib.Path(sys.argv[2]) / name).write_text(block)
