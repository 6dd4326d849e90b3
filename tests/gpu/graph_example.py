"""The program of docs/engines.md that replays a captured graph for several batches: graph_example.py PROGRAM"""

import subprocess
import sys

WANT = """3 rows: 1.462 0.000 0.000
0 rows: 1.462 0.000 0.000
7 rows: 1.462 4.386 0.000
"""

run = subprocess.run([sys.argv[1]], capture_output=True, text=True)
if "no CUDA-capable device" in run.stderr or "driver version is insufficient" in run.stderr:
    print(f"skipped: no CUDA device on this machine ({run.stderr.strip()})")
    sys.exit(77)
if run.returncode or run.stdout != WANT:
    print(f"{sys.argv[1]}: exit status {run.returncode}\n{run.stderr}{run.stdout}instead of\n{WANT}")
    sys.exit(1)
print("OK: the rows of each batch, and no others")
