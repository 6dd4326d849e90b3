"""A library has nothing of oneTBB: no_tbb.py NM READELF LIBRARY."""

import subprocess
import sys

nm, readelf, library = sys.argv[1:]
needed = [line for line in subprocess.run([readelf, "-d", library], check=True, capture_output=True, text=True).stdout.splitlines()
          if "NEEDED" in line]
symbols = subprocess.run([nm, library], check=True, capture_output=True, text=True).stdout.splitlines()
if not any("libc.so" in line for line in needed) or not any(" T tileops_execute_part" in line for line in symbols):
    sys.exit(f"{library}: not read")
found = [line for line in needed + symbols if "tbb" in line.lower()]
if found:
    sys.exit("\n".join([f"{library} has of oneTBB:", *found]))
