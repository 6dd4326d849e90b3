#!/usr/bin/env python3
"""Functions that `tileops expr --device-function` writes: each compiles with every compiler that is here, and what is no
function of registers is refused.

usage: functions_test.py TILEOPS
"""

import pathlib
import subprocess
import sys
import tempfile

import device_code
import texts


# Names that a function cannot have, and what the message says.
NAMES_REFUSED = {**dict.fromkeys(("", "1f", "a b", "a-b", "x" * 65), "no identifier"),
                 **dict.fromkeys(("class", "int", "constexpr", "requires", "not"), "a keyword"),
                 **dict.fromkeys(("__global__", "_Bool", "a__b", "__half", "_"), "is reserved"),
                 **dict.fromkeys(("N", "Lanes", "Pack", "main", "threadIdx", "blockDim", "float4", "ulonglong2", "dim3", "size_t", "assert",
                                  "tileops"), "means something else")}
# Names that it can have, each of something that a file of CUDA code or the header has as well.
NAMES_TAKEN = ("exp", "gelu", "take", "give", "apply", "fill", "x0", "y0", "Elements", "kernels", "device")


def wrong_uses(cli, compilers):
    """How many uses of functions do not give what they should: (source, words of the one error, None of right ones)."""
    def text(formula, name="f", *options):
        return subprocess.run([cli, "expr", formula, "--device-function", name, *options], capture_output=True, text=True).stdout

    row = text("(x) -> x - amax(x)", "f", "--shape", "8x24")
    cases = [(text("(x) -> exp(x)") + text("(x) -> log(x)"), "two functions that libtileops wrote have this name"),
             (text("(x) -> exp(x)") + text("(x) -> exp(x)") + text("(x) -> log(x)", "g"), None),
             (text("(x) -> exp(x)") + text("(x) -> exp(x)", "f", "-d", "f64"), "two functions")]
    for arguments, words in {"8, 4": None, "24, 1, 8": None, "12, 2, 4": None, "8, 2": "which N Lanes must reach", "8, 3": "Lanes is a power of two",
                             "8, 64": "Lanes is a power of two", "24, 1": "a power of two elements", "8, 4, 3": "of which N is a multiple",
                             "12, 2, 8": "of which N is a multiple"}.items():
        n = arguments.split(",")[0]
        cases.append((f"{row}__device__ void g(const float (&x)[{n}], float (&y)[{n}]) {{ f<{arguments}>(x, y); }}\n", words))
    for name in NAMES_TAKEN:  # beside a program's own functions of the names that the text calls
        own = "struct bring { int i; };\nstruct widen_one { int i; };\ntemplate <class T> __device__ T widen_all(T x) { return x; }\n"
        cases.append((f"{own}{text('(a, b) -> cast(exp(a) * 2, bf16) + b', name)}__device__ void g(const float (&x)[4], float (&y)[4]) "
                      f"{{ ::{name}(x, x, y); }}\n", None))
    wrong = 0
    for source, words in cases if compilers.nvrtc.lib else ():
        image, log = compilers.nvrtc.compile(source, "sm_90", ptx=True)
        errors = [line for line in log.splitlines() if "error:" in line]
        if (image is None or "warning" in log) if words is None else (image is not None or len(errors) != 1 or words not in errors[0]):
            wrong += 1
            print(f"{words or 'right'}: {log[:1500]}\n{source[-200:]}")
    return wrong


def main():
    cli, failed, compiled = sys.argv[1], 0, 0
    compilers = device_code.Compilers(("sm_90",))
    if not compilers.names:
        print("no compiler is here")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for text, options, per_thread, lanes, pack in texts.TEXTS:
            for flags in ([], ["--reproducible"]):
                source = device_code.kernel(device_code.header(cli, text, [*options, *flags]), per_thread, lanes, pack)
                if flags and per_thread > 64:
                    continue  # long to compile, and of the same steps
                for name, said in compilers.failures(source, pathlib.Path(folder, "f.cu"), others=per_thread <= 32):
                    failed += 1
                    print(f"{name}: {text} {options} {flags}:\n{said[:2000]}\n")
                compiled += 1
    for text, options, message in texts.REFUSED:
        done = subprocess.run([cli, "expr", text, "--device-function", "f", *options], capture_output=True, text=True)
        if done.returncode == 0 or message not in done.stderr:
            failed += 1
            print(f"refused, naming '{message}': {text}: {done.returncode} {done.stderr}")
    for name, why in NAMES_REFUSED.items():
        done = subprocess.run([cli, "expr", "(x) -> x", "--device-function", name], capture_output=True, text=True)
        if done.returncode == 0 or "name" not in done.stderr or why not in done.stderr:
            failed += 1
            print(f"a name '{name}' is refused, '{why}': {done.returncode} {done.stderr}")
    failed += wrong_uses(cli, compilers)
    print(f"{compiled} functions, {len(texts.REFUSED)} refused texts; compilers: {', '.join(compilers.names)}; {failed} failures")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
