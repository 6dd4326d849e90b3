"""Kernels of others beside texts with reductions on a GPU, where they are there: QuACK and Liger as Python packages, FlashInfer
by its headers and nvcc. bench/README.md says what to fetch for a machine that cannot."""

import ctypes as c
import functools
import importlib
import importlib.util
import os
import shutil
import subprocess

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = {"quack": "QuACK", "liger": "Liger", "flashinfer": "FlashInfer"}
LIGER_MOST, FLASHINFER_MOST = 65536, 16384  # columns that their rows may have
EPS, LAYER_EPS = 1e-6, 1e-5


class Quack:
    """The package gives its functions the names of its modules."""

    def __init__(self):
        self.norm, self.soft, self.loss = (importlib.import_module(f"quack.{m}") for m in ("rmsnorm", "softmax", "cross_entropy"))

    def rms_norm(self, x, w):
        return self.norm.rmsnorm_fwd(x, w, eps=EPS)[0]

    def add_rms_norm(self, x, r, w):
        return self.norm.rmsnorm_fwd(x, w, residual=r, eps=EPS)[:2]

    def softmax(self, x):
        return self.soft.softmax_fwd(x)

    def softmax_backward(self, g, y):
        return self.soft.softmax_bwd(g, y)

    def cross_entropy(self, x, label):
        return self.loss.cross_entropy_fwd(x, label.view(-1))

    def rms_norm_backward_given_rstd(self, g, x, w, r):
        return self.norm.rmsnorm_bwd(x, w, g, r.view(-1))[:2]

    def rms_norm_backward(self, g, x, w):
        """It wants the deviations, which torch finds."""
        return self.rms_norm_backward_given_rstd(g, x, w, torch.rsqrt(x.float().square().mean(-1) + EPS))


class Liger:
    def __init__(self):
        modules = ("rms_norm", "fused_add_rms_norm", "layer_norm", "softmax", "group_norm")
        self.rms, self.add, self.layer, self.soft, self.group = (importlib.import_module(f"liger_kernel.ops.{m}") for m in modules)

    @staticmethod
    def takes(case):
        return case.columns <= LIGER_MOST

    def rms_norm(self, x, w):
        return self.rms.rms_norm_forward(x, w, EPS, 0.0, "llama", None)[0]

    def add_rms_norm(self, x, r, w):
        return self.add.fused_add_rms_norm_forward(x, r, w, EPS, 0.0, "llama")[:2]

    def layer_norm(self, x, w, b):
        return self.layer.layer_norm_forward(x, w, b, LAYER_EPS)[0]

    def softmax(self, x):
        return self.soft._softmax_forward(x)[0]

    def group_norm(self, x, w, b):
        batch, groups, channels, places = x.shape
        y = self.group.group_norm_forward(x.view(batch, groups * channels, places), groups * channels, groups, w.view(-1), b.view(-1), LAYER_EPS)[0]
        return y.view(x.shape)


def start_flashinfer(packages, folder):
    """nvcc at work on FlashInfer's norms, and the library that it makes in `folder`; or why not, as text."""
    nvcc, library = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc", os.path.join(folder, "flashinfer.so")
    include = packages
    if not packages or not os.path.exists(os.path.join(packages, "flashinfer", "norm.cuh")):
        spec = importlib.util.find_spec("flashinfer")
        if spec is None:
            return "no package flashinfer, and no flashinfer/norm.cuh in --wheels"
        include = os.path.join(os.path.dirname(spec.origin), "data", "include")
    if not os.path.exists(nvcc):
        return "no nvcc on this machine"
    command = [nvcc, "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC", "-I", include,
               os.path.join(HERE, "flashinfer_peer.cu"), "-o", library]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True), library


class FlashInfer:
    """Norms of bfloat16; of a sum in place, so that it has operands of its own."""

    def __init__(self, building):
        if isinstance(building, str):
            raise RuntimeError(building)
        process, library = building
        text, _ = process.communicate()
        if process.returncode:
            raise RuntimeError(f"nvcc: {([line for line in text.splitlines() if 'error' in line] or ['failed'])[0]}")
        self.c = c.CDLL(library)

    @staticmethod
    def takes(case):
        return case.dtype == "bf16" and case.columns <= FLASHINFER_MOST

    def call(self, name, tensors, x):
        rows, columns = (c.c_uint32(n) for n in (x.numel() // x.shape[-1], x.shape[-1]))
        pointers = [c.c_void_p(t.data_ptr()) for t in tensors]
        if getattr(self.c, name)(*pointers, rows, columns, c.c_void_p(torch.cuda.current_stream().cuda_stream)):
            raise RuntimeError(f"{name} failed")

    def rms_norm(self, x, w):
        y = torch.empty_like(x)
        self.call("flashinfer_rms_norm", (x, w, y), x)
        return y

    def add_rms_norm(self, x, r, w):
        self.call("flashinfer_add_rms_norm", (x, r, w), x)
        return x, r

    def add_rms_norm_fp8(self, x, r, w, scale):
        y = torch.empty(x.shape, dtype=torch.float8_e4m3fn, device=x.device)
        self.call("flashinfer_add_rms_norm_fp8", (x, r, w, y, scale), x)
        return y, r

    @staticmethod
    def own(case, tensors):
        """Of a sum, which changes them in each call: copies."""
        return [t.clone() for t in tensors] if case.name.startswith("add") else tensors


class Peers:
    """Those that are there; `notes` says why the others are not. `building`: of start_flashinfer."""

    def __init__(self, building):
        self.found, self.notes = {}, {}
        for name, make in (("quack", Quack), ("liger", Liger), ("flashinfer", lambda: FlashInfer(building))):
            try:
                self.found[name] = make()
            except Exception as e:  # whatever a package throws when it is imported
                self.notes[name] = (str(e).strip().splitlines() or [type(e).__name__])[0][:200]

    def of(self, case):
        """{name: function of a set of operands that gives a function without arguments}."""
        runners = {}
        for name, peer in self.found.items():
            function = getattr(peer, case.name, None)
            if function is None or (hasattr(peer, "takes") and not peer.takes(case)):
                continue
            own = getattr(peer, "own", lambda _case, tensors: tensors)
            runners[name] = lambda tensors, f=function, o=own: functools.partial(f, *o(case, tensors))
        return runners
