"""Every public device header compiles alone, without a warning: device_headers.py COMPILER INCLUDE_DIR"""

import pathlib
import subprocess
import sys

compiler, include = sys.argv[1], pathlib.Path(sys.argv[2])
# Those of CUDA code: tests/device.
cuda = [include / 'tileops/device' / name for name in ('cuda', 'transform', 'tile/operators')]
headers = [h for h in sorted((include / 'tileops/device').rglob('*.h'))
           if not any(c in h.parents or h == c.with_suffix('.h') for c in cuda)]
assert len(headers) > 20, headers
wrong = 0
for header in headers:
    source = f'#include <{header.relative_to(include)}>\n'
    options = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', f'-I{include}', '-xc++', '-']
    done = subprocess.run([compiler, *options], input=source, text=True, capture_output=True, check=False)
    if done.returncode:
        wrong += 1
        print(f'{header}:\n{done.stderr}')
sys.exit(1 if wrong else 0)
