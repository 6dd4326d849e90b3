"""What tileops.hpp leaves to the compiler to refuse: hpp_refused.py COMPILER INCLUDE_DIR...

hpp_refused.cc compiles without the lines that end with "// refused", and each of these is an error in a language of
2017 and in one of 2020.
"""

import pathlib
import re
import subprocess
import sys

compiler, includes = sys.argv[1], [f'-I{folder}' for folder in sys.argv[2:]]
here = pathlib.Path(__file__).resolve().parent
lines = (here / 'hpp_refused.cc').read_text().splitlines()
refused = {number for number, line in enumerate(lines, 1) if line.endswith('// refused')}
assert len(refused) > 20, refused


def compile_as(standard, kept):
    """Exit status, and what is written, of the file with these lines alone of those that are refused."""
    source = '\n'.join(line if number not in refused - kept else '' for number, line in enumerate(lines, 1))
    every = '-ferror-limit=0' if 'clang' in compiler else '-fmax-errors=0'
    command = [compiler, standard, '-fsyntax-only', every, *includes, '-xc++', '-']
    done = subprocess.run(command, input=source + '\n', text=True, capture_output=True, check=False)
    return done.returncode, done.stderr


wrong = False
for standard in ('-std=c++17', '-std=gnu++20'):
    status, told = compile_as(standard, set())
    if status:
        wrong = True
        print(f'{standard}: the other lines do not compile:\n{told}')
    status, told = compile_as(standard, refused)
    errors = {int(number) for number in re.findall(r'<stdin>:(\d+):(?:\d+:)? +error', told)}
    for number in sorted(refused - errors):
        wrong = True
        print(f'{standard}: taken: {number}: {lines[number - 1].strip()}')
sys.exit(1 if wrong else 0)
