"""Compilers of CUDA code, as far as they are here, and kernels around functions that `tileops expr --device-function` writes."""

import ctypes
import glob
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
CUDA_HOME = os.environ.get("CUDA_HOME", "/usr/local/cuda")


# The number of the thread; Clang without a toolkit has no threadIdx.
THREAD = """#if defined(__clang__)
static __device__ long long thread() {
  return static_cast<long long>(__nvvm_read_ptx_sreg_ctaid_x()) * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}
#else
static __device__ long long thread() { return static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; }
#endif
"""


class Nvrtc:
    """The run-time compiler; `why` says why it is not here."""

    def __init__(self):
        self.lib, self.why = None, f"no libnvrtc below {CUDA_HOME} (CUDA_HOME)"
        names = [os.environ.get("TILEOPS_NVRTC", "")]
        for pattern in ("lib/libnvrtc.so*", "lib64/libnvrtc.so*"):
            names += sorted(n for n in glob.glob(f"{CUDA_HOME}/{pattern}") if "alt" not in n)
        for name in filter(None, [*names, "libnvrtc.so.13", "libnvrtc.so.12"]):
            try:
                self.lib = ctypes.CDLL(name)
                for builtins in sorted(pathlib.Path(name).parent.glob("libnvrtc-builtins.so*")):  # it looks for them itself, elsewhere
                    if "alt" not in builtins.name:
                        ctypes.CDLL(str(builtins))
                break
            except OSError as error:
                self.why = str(error)

    def compile(self, source, arch="sm_90", options=("--fmad=false",), ptx=False, include=INCLUDE):
        """(cubin or PTX, log); None where it does not compile. No other include path than the library's is given."""
        program = ctypes.c_void_p()
        self.lib.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"test.cu", 0, None, None)
        flags = ["--std=c++17", f"--gpu-architecture={arch.replace('sm_', 'compute_') if ptx else arch}", f"-I{include}",
                 *options]
        if not ptx:
            flags.append("-DTILEOPS_EXACT_SM=" + arch[3:].rstrip("a"))
        done = self.lib.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*(f.encode() for f in flags)))
        log = self._read(program, "ProgramLog").decode().rstrip("\0\n")
        image = None if done else self._read(program, "PTX" if ptx else "CUBIN")
        self.lib.nvrtcDestroyProgram(ctypes.byref(program))
        return image, log

    def _read(self, program, what):
        size = ctypes.c_size_t()
        getattr(self.lib, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(self.lib, f"nvrtcGet{what}")(program, text)
        return text.raw


def nvcc():
    """The command, or None, and why not."""
    found = shutil.which("nvcc", path=f"{CUDA_HOME}/bin") or shutil.which("nvcc")
    return ([found, "-std=c++17", "-arch=sm_90", "-fmad=false", f"-I{INCLUDE}", "-cubin", "-o", os.devnull], "") if found \
        else (None, f"no nvcc in {CUDA_HOME}/bin (CUDA_HOME)")


def clang():
    """Likewise Clang with the NVPTX target, which is given no toolkit."""
    for name in ("clang++-19", "clang++-20", "clang++-18", "clang++-17", "clang++"):
        found = shutil.which(name)
        if found and "nvptx64" in subprocess.run([found, "--print-targets"], capture_output=True, text=True).stdout:
            return [found, "-std=c++17", "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
                    "-ffp-contract=off", "-O1", "-include", "__clang_cuda_builtin_vars.h", f"-I{INCLUDE}", "-S", "-o", os.devnull], ""
    return None, "no clang++ with the target nvptx64"


class Compilers:
    """compile() gives what each compiler that is here says against a source."""

    def __init__(self, archs=("sm_80", "sm_90", "sm_100")):
        self.archs, self.nvrtc, self.others, self.names = archs, Nvrtc(), {}, []
        for name, (command, why) in {"nvcc": nvcc(), "clang": clang()}.items():
            if command:
                self.others[name] = command
            else:
                print(f"left out: {name}: {why}")
        if not self.nvrtc.lib:
            print(f"left out: NVRTC: {self.nvrtc.why}")
        self.names = ([f"NVRTC {a}" for a in archs] if self.nvrtc.lib else []) + list(self.others)

    def failures(self, source, file, archs=None, others=True):
        """[(compiler, what it says)] of those that do not compile the text, which is written to `file`."""
        failed = []
        for arch in (archs or self.archs) if self.nvrtc.lib else ():
            image, log = self.nvrtc.compile(source, arch)
            if image is None or "warning" in log:
                failed.append((f"NVRTC {arch}", log))
        file.write_text(source)
        for name, command in self.others.items() if others else ():
            done = subprocess.run([*command, str(file)], capture_output=True, text=True)
            if done.returncode or "warning" in done.stderr:
                failed.append((name, done.stderr))
        return failed


def header(cli, text, options):
    """What the command writes for a text; `options` as it takes them."""
    done = subprocess.run([cli, "expr", text, "--device-function", "f", *options], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{text}: {done.stderr}")
    return done.stdout


def parameters(text):
    """[(type, name, kind)] of the function: kind is array, words, one or scalar, result kinds the same."""
    signature = re.search(r"__forceinline__ void f\((.*)\) \{\n", text[text.rindex("template <int N"):])[1]
    found = []
    for p in re.split(r", (?!N>)", signature):
        if m := re.fullmatch(r"(?:const )?tileops::device::packed<([\w:]+), N>& (\w+)", p):
            found.append((m[1], m[2], "words"))
        elif m := re.fullmatch(r"(?:const )?([\w: ]+?) \(&(\w+)\)\[N\]", p):
            found.append((m[1], m[2], "array"))
        elif m := re.fullmatch(r"([\w: ]+?)(&?) (\w+)", p):
            found.append((m[1], m[3], "scalar" if m[3][0] == "s" else "one"))
        else:
            raise RuntimeError(f"a parameter of another form: {p}")
    return found


def row_length(text):
    """Elements of a row of the function, 0 where it knows of none."""
    found = re.search(r"a row has (\d+) elements, which N Lanes", text)
    return int(found[1]) if found else 0


def kernel(text, per_thread, lanes=1, pack=0):
    """A kernel of the function, each operand of which is an array in memory: thread t has the elements from t * per_thread on; of
    rows lane i of `lanes` has packs of `pack` elements (0: of all that it has), the m-th from (m * lanes + i) * pack of the row on."""
    given, length = parameters(text), row_length(text)
    pack = pack or per_thread
    arguments = ", ".join(f"const {t}* {n}_" if n[0] == "x" else f"{t} {n}" if n[0] == "s" else f"{t}* {n}_" for t, n, _ in given)
    body, after, at = "", "", "t / L" if length else "0"
    whole = not length or (pack == per_thread and per_thread * lanes == length)
    every = "  for (int i = 0; i < N; ++i) if (is_there(i)) " if length else "  for (int i = 0; i < N; ++i) "
    for t, n, kind in given:
        is_operand = n[0] == "x"
        if n[0] == "s":
            continue
        if kind == "one":
            body += f"  {t} {n} = {n}_[{at}];\n" if is_operand else f"  {t} {n};\n"
            after += "" if is_operand else f"  {n}_[{at}] = {n};\n"
        elif kind == "array":
            body += f"  {t} {n}[N];\n" + (f"{every}{n}[i] = {n}_[place(i)];\n" if is_operand else "")
            after += "" if is_operand else f"{every}{n}_[place(i)] = {n}[i];\n"
        elif whole:
            body += f"  packed<{t}, N> {n}" + (f" = load<{t}, N>({n}_ + t * N);\n" if is_operand else ";\n")
            after += "" if is_operand else f"  store<{t}, N>({n}_ + t * N, {n});\n"
        else:  # by way of memory, element by element
            body += f"  alignas(16) {t} {n}m[N] = {{}};\n"
            body += f"{every}{n}m[i] = {n}_[place(i)];\n" if is_operand else ""
            body += f"  packed<{t}, N> {n}" + (f" = load<{t}, N>({n}m);\n" if is_operand else ";\n")
            after += "" if is_operand else f"  store<{t}, N>({n}m, {n});\n{every}{n}_[place(i)] = {n}m[i];\n"
    column = f"i / {pack} * {pack * lanes} + static_cast<int>(t % L) * {pack} + i % {pack}"
    places = (f"  [[maybe_unused]] const auto is_there = [&](int i) {{ return {column} < {length}; }};\n"
              f"  [[maybe_unused]] const auto place = [&](int i) {{ return t / L * {length} + {column}; }};\n" if length else
              "  [[maybe_unused]] const auto place = [&](int i) { return t * N + i; };\n")
    call = f"  f<N{f', L, {pack}' if length else ''}>({', '.join(n for _, n, _ in given)});\n"
    return (f'{text}\n{THREAD}using namespace tileops::device;\nextern "C" __global__ void k({arguments}) {{\n  constexpr int N = {per_thread};\n  [[maybe_unused]] constexpr int L = {lanes};\n'
            f"  [[maybe_unused]] const long long t = thread();\n{places}"
            f"{body}{call}{after}}}\n")
