#!/usr/bin/env python3
"""Functions that `tileops expr --device-function` writes, run on a GPU: each gives the bits of the library's kernel for the same
text, with the library's usual policy and with --reproducible.

usage: functions_run.py TILEOPS
"""

import ctypes
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

import device_code
import texts

# numpy's name, bytes, and how a test's number is written.
DTYPES = {"float32": ("<f4", 4, "f"), "float64": ("<f8", 8, "d"), "int8": ("|i1", 1, "b"), "int32": ("<i4", 4, "i"),
          "float16": ("<f2", 2, "e"), "bfloat16": ("<u2", 2, None), "bool": ("|b1", 1, "?")}


class Driver:
    """The CUDA driver; `why` says why it is not here."""

    def __init__(self):
        self.why = ""
        try:
            self.lib = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            self.why = str(error)
            return
        device, context = ctypes.c_int(), ctypes.c_void_p()
        if self.lib.cuInit(0) or self.lib.cuDeviceGet(ctypes.byref(device), 0):
            self.why = "no GPU"
            return
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxSetCurrent", context)
        numbers = []
        for attribute in (75, 76):  # of the compute capability
            value = ctypes.c_int()
            self("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
            numbers.append(value.value)
        self.arch = "sm_{}{}".format(*numbers)

    def __call__(self, name, *arguments):
        if status := getattr(self.lib, name)(*arguments):
            raise RuntimeError(f"{name}: {status}")

    def run(self, image, arguments, threads):
        """Arguments: bytes, which are memory, or numbers of ctypes. What the memory holds afterwards."""
        module, function, places, values = ctypes.c_void_p(), ctypes.c_void_p(), [], []
        self("cuModuleLoadData", ctypes.byref(module), image)
        self("cuModuleGetFunction", ctypes.byref(function), module, b"k")
        for a in arguments:
            if not isinstance(a, bytes):
                values.append(a)
                continue
            place = ctypes.c_uint64()
            self("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(len(a)))
            self("cuMemcpyHtoD_v2", place, a, ctypes.c_size_t(len(a)))
            places.append((place, len(a)))
            values.append(place)
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.addressof(v) for v in values))
        block = min(threads, 128)
        self("cuLaunchKernel", function, threads // block, 1, 1, block, 1, 1, 0, None, pointers, None)
        self("cuCtxSynchronize")
        found = []
        for place, size in places:
            data = ctypes.create_string_buffer(size)
            self("cuMemcpyDtoH_v2", data, place, ctypes.c_size_t(size))
            found.append(data.raw)
            self("cuMemFree_v2", place)
        self("cuModuleUnload", module)
        return found


def write_npy(path, dtype, shape, data):
    head = str({"descr": DTYPES[dtype][0], "fortran_order": False, "shape": tuple(shape)}).encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data)


def read_npy(path):
    data = path.read_bytes()
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


def values(dtype, count, seed):
    draw, code = random.Random(seed), DTYPES[dtype][2]
    numbers = [draw.uniform(-6, 6) for _ in range(count)]
    if dtype in ("float32", "bfloat16") and count > 16:
        numbers[:6] = [0.0, -0.0, float("inf"), float("-inf"), 1e-40, 3e30]
    if dtype == "bfloat16":
        return b"".join(struct.pack("<f", x)[2:] for x in numbers)
    if dtype.startswith("int"):
        numbers = [int(x * 20) for x in numbers]
    return struct.pack(f"<{count}{code}", *numbers)


def described(header, kind):
    return re.findall(rf"(?m)^//   [xy](\d+)  {kind} (\w+), (\w+)(, one for the row|, one for all)?$", header)


def check(cli, driver, nvrtc, folder, text, options, per_thread, lanes, pack, flags):
    header = device_code.header(cli, text, [*options, *flags])
    is_row = device_code.row_length(header) > 0
    length = device_code.row_length(header) or 8192
    rows = 64 if is_row else 1
    count = rows * length
    command, arguments = [cli, "run", "--expr", text, "--device", "cuda:0", *flags], []
    image, log = nvrtc.compile(device_code.kernel(header, per_thread, lanes, pack), driver.arch)
    if image is None:
        return f"does not compile: {log}"
    by_name = {}
    for number, name, dtype, one in described(header, "operand"):
        shape = ([rows, 1] if is_row else []) if one else [rows, length] if is_row else [length]
        n = (rows if is_row else 1) if one else count
        by_name[f"x{number}"] = values(dtype, n, f"{text}{number}")
        file = folder / f"x{number}.npy"
        write_npy(file, dtype, shape, by_name[f"x{number}"])
        command += ["--in", f"{name}={file}" + (":bf16" if dtype == "bfloat16" else "")]
    results = described(header, "result")
    sizes = {"float8_e4m3fn": 1, "float8_e5m2": 1, "int64": 8}
    for number, name, dtype, one in results:
        size = sizes.get(dtype) or DTYPES[dtype][1]
        by_name[f"y{number}"] = bytes((rows if one else count) * size)
        command += ["--out", f"{name}={folder / f'y{number}.npy'}"]
    defaults = dict(re.findall(r"(\w+) = ([-\d.]+)", text[:text.index("->")]))
    scalars = dict(re.findall(r"(?m)^//   (s\d+)  scalar (\w+)$", header))
    for kind, name, _ in device_code.parameters(header):
        arguments.append(ctypes.c_double(float(defaults[scalars[name]])) if name[0] == "s" else by_name[name])
    found = driver.run(image, arguments, rows * lanes if is_row else count // per_thread)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return f"{' '.join(command)}: {done.stderr}"
    for (number, _, dtype, _), got in zip(results, found[len(found) - len(results):]):
        want = read_npy(folder / f"y{number}.npy")
        size = sizes.get(dtype) or DTYPES[dtype][1]
        if got != want:
            wrong = [i for i in range(len(got) // size) if got[i * size:(i + 1) * size] != want[i * size:(i + 1) * size]]
            i = wrong[0] if wrong else 0
            return (f"y{number}: {len(wrong)} of {len(got) // size} elements are not the library's, first {i}: "
                    f"{got[i * size:(i + 1) * size].hex()}, should be {want[i * size:(i + 1) * size].hex()}")
    return ""


def main():
    driver, nvrtc = Driver(), device_code.Nvrtc()
    if driver.why or not nvrtc.lib:
        print(f"skipped: {driver.why or nvrtc.why}")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for text, options, per_thread, lanes, pack in texts.TEXTS:
            for flags in ([], ["--reproducible"]):
                wrong = check(sys.argv[1], driver, nvrtc, pathlib.Path(folder), text, options, per_thread, lanes, pack, flags)
                if wrong:
                    failed += 1
                    print(f"{text} {options} {flags}: {wrong}")
    print(f"{2 * len(texts.TEXTS)} functions on {driver.arch}, {failed} failures")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
