"""Runs the decoder block and checks it against NumPy in float64: decoder_check.py PROGRAM [ARGUMENT...]

Each step from the inputs that it had, which the program saves: codes of fp8 one by one, everything else within a bound.
Then the whole, from x and the weights alone. Nothing of the library is used here."""

import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
except ImportError:
    print("decoder_check.py: skipped, this Python has no NumPy")
    sys.exit(77)

import find_blas

# At ties, and beside them, float32 and float64 may round to neighbouring codes.
MOST_OTHER_CODES = 0.004
EPS = 1e-6


def decode_fp8(bits):
    """float8_e4m3fn from bytes."""
    exponent, fraction = (bits >> 3 & 15).astype(int), (bits & 7).astype(float)
    value = np.where(exponent == 0, np.ldexp(fraction, -9), np.ldexp(8 + fraction, exponent - 10))
    return np.where(bits & 128, -value, np.where(bits & 127 == 127, np.nan, value))


def spacing_fp8(x):
    return np.ldexp(1.0, np.maximum(np.frexp(np.abs(x))[1] - 1, -6) - 3)


def to_fp8(x):
    """The nearest value of float8_e4m3fn, ties to even; what is too large is the largest."""
    step = spacing_fp8(x)
    return np.clip(np.rint(x / step) * step, -448, 448)


def load(path):
    x = np.load(path)
    if x.dtype == np.dtype("V1"):
        return decode_fp8(x.view(np.uint8))
    if x.dtype == np.dtype("V2"):
        return (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return x if x.dtype == np.int64 else x.astype(np.float64)


def quantise(x, axis=-1):
    scale = np.maximum(np.abs(x).max(axis, keepdims=True), 1e-10) / 448
    return to_fp8(x / scale), scale


def rms_norm(x, w):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPS) * w


def rotate(x, cos, sin):
    a, b = np.split(x, 2, axis=-1)
    return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def silu(x):
    return x / (1 + np.exp(-x))


class Steps:
    """The block's steps on values by name: what each text and each product gives. `v` has inputs, and receives results."""

    def __init__(self, v):
        self.v = v
        self.tokens, self.dim = v["pos"].size, v["query_norm"].size
        self.cache_heads, self.capacity = v["keys"].shape[:2]
        self.heads = v["qkv"].shape[0] // self.dim - 2 * self.cache_heads

    def norm(self):
        return dict(zip(("normed", "normed_s"), quantise(rms_norm(self.v["x"], self.v["norm"]))))

    def qkv(self):
        return {"qkv_raw": self.v["normed"] @ self.v["qkv"].T}

    def parts(self):
        """Queries, keys and values of (heads, T, d), scaled."""
        v = self.v
        scaled = (v["qkv_raw"] * v["normed_s"] * v["qkv_s"].reshape(-1)).reshape(self.tokens, -1, self.dim)
        scaled = scaled.transpose(1, 0, 2)
        return np.split(scaled, [self.heads, self.heads + self.cache_heads])

    def turned(self, x, weight):
        pos = self.v["pos"].reshape(-1)
        return quantise(rotate(rms_norm(x, weight), self.v["cos"][pos, 0], self.v["sin"][pos, 0]))

    def queries(self):
        return dict(zip(("queries", "queries_s"), self.turned(self.parts()[0], self.v["query_norm"])))

    def cache(self):
        """The cache as it is, with this run's tokens in their places."""
        _, k, x = self.parts()
        pos = self.v["pos"].reshape(-1)
        found = {name: self.v[name].copy() for name in ("keys", "values", "key_scales", "value_scales")}
        found["keys"][:, pos], found["key_scales"][:, pos] = self.turned(k, self.v["key_norm"])
        codes, found["value_scales"][:, pos] = quantise(x)
        found["values"][:, :, pos] = codes.transpose(0, 2, 1)
        return found

    def scores(self):
        q = self.v["queries"].reshape(self.cache_heads, -1, self.dim)
        return {"scores": q @ self.v["keys"].transpose(0, 2, 1)}

    def softmax(self):
        v, shape = self.v, (self.cache_heads, -1, self.tokens, self.capacity)
        x = v["scores"].reshape(shape) * v["queries_s"].reshape(shape[:-1] + (1,)) / np.sqrt(self.dim)
        x = x * v["key_scales"].reshape(-1, 1, 1, self.capacity)
        x = np.where(np.arange(self.capacity) <= v["pos"].reshape(-1, 1), x, -np.inf)
        e = np.exp(x - x.max(-1, keepdims=True))
        p = e / e.sum(-1, keepdims=True) * v["value_scales"].reshape(-1, 1, 1, self.capacity)
        codes, scale = quantise(p)
        return {"weights": codes.reshape(v["scores"].shape), "weights_s": scale.reshape(self.heads, self.tokens, 1).transpose(1, 0, 2)}

    def mix(self):
        return {"mixed": self.v["weights"] @ self.v["values"].transpose(0, 2, 1)}

    def attended(self):
        mixed = self.v["mixed"].reshape(self.heads, self.tokens, self.dim).transpose(1, 0, 2)
        return dict(zip(("attended", "attended_s"), quantise(mixed * self.v["weights_s"], (1, 2))))

    def out(self):
        return {"out_raw": self.v["attended"].reshape(self.tokens, -1) @ self.v["out"].T}

    def add_norm(self):
        v = self.v
        h = v["out_raw"] * v["attended_s"].reshape(-1, 1) * v["out_s"].reshape(-1) + v["x"]
        return dict(zip(("h_normed", "h_s", "h"), (*quantise(rms_norm(h, v["mlp_norm"])), h)))

    def gate_up(self):
        return {"gate_up_raw": self.v["h_normed"] @ self.v["gate_up"].T}

    def swiglu(self):
        v = self.v
        gate, up = np.split(v["gate_up_raw"] * v["h_s"] * v["gate_up_s"].reshape(-1), 2, -1)
        return dict(zip(("hidden", "hidden_s"), quantise(silu(gate) * up)))

    def down(self):
        return {"down_raw": self.v["hidden"] @ self.v["down"].T}

    def add(self):
        v = self.v
        return {"y": v["down_raw"] * v["hidden_s"] * v["down_s"].reshape(-1) + v["h"]}

    ALL = (norm, qkv, queries, cache, scores, softmax, mix, attended, out, add_norm, gate_up, swiglu, down, add)

    def all(self):
        for step in self.ALL:
            self.v.update(step(self))
        return self.v


CODES = ("normed", "queries", "keys", "values", "weights", "attended", "h_normed", "hidden")
PRODUCTS = {"qkv_raw": ("normed", "qkv"), "scores": ("queries", "keys"), "mixed": ("weights", "values"), "out_raw": ("attended", "out"),
            "gate_up_raw": ("h_normed", "gate_up"), "down_raw": ("hidden", "down")}


def check_step(name, got, want, values, real):
    """What is wrong with a result, or None; and what was found, for people."""
    if got.shape != want.shape or not np.isfinite(got).all():
        return "wrong shape, or not finite"
    error = np.abs(got - want)
    if name in CODES:
        others = np.count_nonzero(error)
        if (error > 1.001 * spacing_fp8(np.maximum(np.abs(got), np.abs(want)))).any():
            return "a code that is no neighbour"
        return None if others <= max(4, MOST_OTHER_CODES * got.size) else f"{others} of {got.size} codes are others"
    if name in PRODUCTS:
        a, b = (np.abs(values[x]) for x in PRODUCTS[name])
        # Of the sum of what is added; tensor cores keep fewer bits of fp8 sums than float32 has.
        sums = np.sqrt((a * a).sum(-1).max() * (b * b).sum(-2 if name == "mixed" else -1).max())
        bound = (2.0**-20 if real == "float32" else 2.0**-11) * sums + (0 if real == "float32" else 2.0**-8) * np.abs(want)
        return None if (error <= bound).all() else f"off by {error.max():.3g}"
    bound = (2.0**-19 if name.endswith("_s") or name.endswith("scales") or real == "float32" else 2.0**-8) * np.abs(want)
    return None if (error <= bound + 1e-6 * np.abs(want).max()).all() else f"off by {error.max():.3g}"


def check(folder):
    first, second = ({f[:-4]: load(os.path.join(folder, part, f)) for f in sorted(os.listdir(os.path.join(folder, part)))}
                     for part in ("first", "second"))
    real = "float32" if np.load(os.path.join(folder, "second", "x.npy")).dtype == np.float32 else "bfloat16"
    wrong = []
    for part in (first, second):
        for step in Steps.ALL:
            for name, want in step(Steps(part)).items():
                what = check_step(name, part[name], want, part, real)
                if what:
                    wrong.append(f"{step.__name__}: {name}: {what}")
    # The whole: both runs after each other, with no value of the program but x and the weights.
    given = {name: value for name, value in first.items() if name in GIVEN}
    zeros = {name: np.zeros_like(first[name]) for name in ("keys", "values", "key_scales", "value_scales")}
    state = Steps({**given, **zeros}).all()
    state = Steps({**state, "x": second["x"], "pos": second["pos"]}).all()
    scale = np.sqrt(np.mean((state["y"] - second["x"]) ** 2))  # of what the block adds to x
    whole = np.sqrt(np.mean((state["y"] - second["y"]) ** 2)) / scale
    # A code that flips moves all that follows by a part of its step, which is 6e-2. In bfloat16 each product is rounded
    # first, and so many codes flip that two right forms of the block are 5e-2 apart (seen on an H200).
    most = 1e-2 if real == "float32" else 8e-2
    if not whole <= most:
        wrong.append(f"the whole: {whole:.2e} of what the block adds, need {most:.0e}")
    if "y_unfused" in second:
        unfused = np.sqrt(np.mean((second["y_unfused"] - second["y"]) ** 2)) / scale
        if not unfused <= most:
            wrong.append(f"with a plan for each operator: {unfused:.2e} of what the block adds, need {most:.0e}")
    print("\n".join(wrong) or f"NumPy in float64 agrees: {len(Steps.ALL)} steps of two runs, each from its own inputs; the whole "
          f"within {whole:.1e} of what the block adds (fp8 has steps of 6e-2)")
    return not wrong


GIVEN = ("x", "pos", "cos", "sin", "norm", "query_norm", "key_norm", "mlp_norm", "qkv", "qkv_s", "out", "out_s", "gate_up", "gate_up_s",
         "down", "down_s")


def main():
    environment = {**os.environ, **find_blas.environment()}
    with tempfile.TemporaryDirectory() as folder:
        for part in ("first", "second"):
            os.mkdir(os.path.join(folder, part))
        status = subprocess.run([*sys.argv[1:], "--save", folder], env=environment, check=False).returncode
        if status:
            sys.exit(status)  # 77: there is no such device
        sys.exit(not check(folder))


if __name__ == "__main__":
    main()
