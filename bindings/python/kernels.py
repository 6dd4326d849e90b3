"""Makes a wheel of a prebuilt pack of CUDA kernels (docs/install.md), which the package finds where both are installed:

    kernels.py build/release/tileops/kernels-sm_90.pack --out build/wheel

The wheel libtileops-kernels-sm90 is for any machine and any Python, and for the library's own version alone.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def version():
    header = (ROOT / "include/tileops/tileops.h").read_text()
    return ".".join(re.search(rf"TILEOPS_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def make(pack, out):
    """The wheel of one pack; returns its path."""
    named = re.fullmatch(r"kernels-(sm_\d+[a-z]?)\.pack", pack.name)
    if not named:
        raise SystemExit(f"{pack}: a pack is called kernels-sm_NN.pack")
    name, release = f"libtileops_kernels_{named[1].replace('_', '')}", version()
    metadata = (f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {release}\n"
                f"Summary: Prebuilt CUDA kernels of libtileops for {named[1]}\nLicense: Apache-2.0\nRequires-Dist: libtileops == {release}\n")
    info = f"{name}-{release}.dist-info"
    files = {f"libtileops_kernels/{pack.name}": pack.read_bytes(), f"{info}/METADATA": metadata.encode(),
             f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
             f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: libtileops\nRoot-Is-Purelib: true\nTag: py3-none-any\n"}
    record = [f"{path},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
              for path, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    out.mkdir(parents=True, exist_ok=True)
    wheel = out / f"{name}-{release}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return wheel


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("packs", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    arguments = parser.parse_args()
    for pack in arguments.packs:
        print(make(pack, arguments.out))


if __name__ == "__main__":
    main()
