"""Looks into a wheel: wheel.py FILE. One extension for all Pythons from 3.12 on, the library and oneTBB beside it, types."""

import pathlib
import sys
import zipfile

path = pathlib.Path(sys.argv[1])
with zipfile.ZipFile(path) as wheel:
    names = {name.removeprefix("libtileops/") for name in wheel.namelist() if name.startswith("libtileops/")}
    metadata = wheel.read(next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))).decode()
abi3 = sys.version_info >= (3, 12)
sources = pathlib.Path(__file__).resolve().parents[1] / "libtileops"
wanted = {str(file.relative_to(sources)) for file in sources.rglob("*") if file.name == "py.typed" or file.suffix in (".py", ".pyi")}
wanted.add("libtileops.so.0.1")
assert wanted <= names, wanted - names
assert ("-cp312-abi3-" in path.name) == abi3, path.name
assert ("_core.abi3.so" in names) == abi3, names
others = {name for name in names - wanted if not name.startswith(("_core.", "libtbb.so.")) and name != "libtileops_tvm_ffi.so"}
assert not others, others
assert "Requires-Dist" not in metadata.replace("Requires-Dist: numpy; extra", "").replace("Requires-Dist: ml_dtypes; extra", ""), metadata
print(f"{len(names)} files")
