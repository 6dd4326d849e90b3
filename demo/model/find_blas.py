"""Libraries for matrix products that Python packages bring, as the environment of programs of this folder:

    env $(python3 find_blas.py) ./decoder

MODEL_BLAS is the OpenBLAS of NumPy's wheel, MODEL_CUBLASLT the cuBLAS that comes with PyTorch's. What is not there is left
out: programs then look for the system's."""

import glob
import os
import sys

FILES = {"MODEL_BLAS": "numpy.libs/*openblas*.so*", "MODEL_CUBLASLT": "nvidia/c*/lib/libcublasLt.so.1[23]"}


def environment():
    found = {}
    for name, pattern in FILES.items():
        for folder in sys.path:
            paths = glob.glob(os.path.join(folder or ".", pattern))
            if paths and name not in os.environ:
                found.setdefault(name, sorted(paths)[-1])
    return found


if __name__ == "__main__":
    print("\n".join(f"{name}={path}" for name, path in environment().items()))
