"""Runs the examples of a document as printed: readme.py FILE. Blocks of Python share one namespace; those of a console show
what their lines print."""

import doctest
import pathlib
import re
import sys

text = pathlib.Path(sys.argv[1]).read_text()
blocks = re.findall(r"^```(python|pycon)\n(.*?)^```$", text, re.M | re.S)
assert len(blocks) >= 5, "no examples"
runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
space = {}
for number, (kind, block) in enumerate(blocks):
    needs = re.search(r"^# needs (\w+)$", block, re.M)
    if needs:
        try:
            __import__(needs[1])
        except ImportError:
            print(f"example {number}: left out, there is no {needs[1]}")
            continue
    if kind == "pycon":
        test = doctest.DocTestParser().get_doctest(block, space, f"example {number}", sys.argv[1], 0)
        runner.run(test, clear_globs=False)
        space = test.globs
    else:
        exec(compile(block, f"example {number}", "exec"), space)
sys.exit(runner.summarize().failed)
