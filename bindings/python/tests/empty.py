"""Runs where nothing but the wheel is installed: no NumPy, no torch. Arrays are the standard library's.

    empty.py [PACK...]  the names of the packs of kernels that wheels of their own have brought
"""

import array
import math
import pathlib
import sys

import libtileops as to

assert "numpy" not in sys.modules and "torch" not in sys.modules
folder = pathlib.Path(to.__file__).parent
assert folder.is_relative_to(sys.prefix), folder
with open("/proc/self/maps") as maps:
    loaded = {line.split()[-1] for line in maps if "libtileops.so" in line or "libtbb.so" in line}
assert str(folder / "libtileops.so.0.1") in loaded, loaded
if any(folder.glob("libtbb.so.*")):
    assert all(path.startswith(str(folder)) for path in loaded), loaded  # and not the system's

x = array.array("f", [-1.0, 0.0, 2.0])
y = array.array("f", [0.0] * 3)
assert to.relu(x, out=y) is y and list(y) == [0.0, 0.0, 2.0]
softmax = to.expr("(x[.., n]) -> softmax(x)")
softmax(x, out=y)
assert abs(sum(y) - 1) < 1e-6 and abs(y[2] / y[1] - math.exp(2)) < 1e-5
try:
    to.relu(bytes(3), out=bytes(3))
except to.InvalidArgument as error:
    assert "out: is read-only" in str(error), error
else:
    raise AssertionError("bytes were written to")
try:
    to.relu(x)  # a result would be NumPy's
except ImportError as error:
    assert "numpy" in str(error)
assert [pathlib.Path(pack).name for pack in to.kernel_packs()] == sys.argv[1:], to.kernel_packs()
try:
    to.torch
except ModuleNotFoundError as error:
    assert error.name == "torch", error
print(f"Python {sys.version.split()[0]}: {to.build_info()}")
