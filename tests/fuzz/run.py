#!/usr/bin/env python3
"""Runs a fuzz target on seeds made here: one call of each operator, texts of expressions, or calls of their builder.

TILEOPS_FUZZ_SECONDS says for how long all targets together run (default 60). What was learnt stays in the work folder and
is where the next run begins; what made the target fail is printed in a form to paste into a shell.
"""
import argparse
import base64
import os
import pathlib
import random
import subprocess
import sys

SKIPPED = 77
OPERATORS = 96  # more than there are; the target takes the first byte modulo their number


TARGETS = 3  # they share the time
TEXTS = (
    "(g, u, r) -> silu(g) * u + r",
    "(x, r, w = 1; eps = 1e-6) -> { h = x + r;  h * rsqrt(h * h + eps) * w,  h }",
    "(x, b, r; p = 0.1, seed = 0, offset = 0) -> { h = gelu(x + b); k = dropout_mask(h, p, seed, offset);\n"
    "   where(k, h / (1 - p), 0) + r, k }",
    "(p, g, m, v; lr = 1e-3, b1 = 0.9, t = 1) -> { n = lerp(m, g, 1 - b1); p * (1 - lr) - lr / (1 - b1 ** t) * n, n }",
    "(x; alpha = 1.702, limit = 7.0) -> { g = minimum(every(x, 0, 2), limit); u = clamp(every(x, 1, 2), -limit, limit);"
    " g * sigmoid(alpha * g) * (u + 1) }",
    "(x, cos, sin) -> { a = chunk(x, 0, 2); b = chunk(x, 1, 2); concat(fma(a, cos, -(b * sin)), fma(b, cos, a * sin)) }",
    "(x, mask = 0; past = 0) -> where(index(x, -1) <= index(x, -2) + past, x / extent(x, -1) + mask, -inf)",
    "(x, y) -> (x < 1) & ~(y == -2.5e3) | true  # comment",
    "(x) -> cast(x ** 2 // 3 % 4, bf16) != nan_to_num(x, posinf = inf)",
    "(x, w = 1; eps = 1e-6) -> x * rsqrt(mean(x * x) + eps) * w, amax(x, axis = all)",
    "(x) -> { s = amax(abs(x), group = (2, 4)); x / spread(s, x, group = (2, 4)), tiled(s, rows = 8) }",
    "(x, i) -> logsumexp(x) - gather(x, i, axis = -1), cumsum(x, axis = -2, reverse = true), scatter(detach(x), i)",
    "(x, m, n) -> store_if(x * 2, (m > 0) & (index(x, -2) < n)), store_if(sum(x), sum(m) > 0)",
    "(x[..b, n], r[..b, n], w[n] = 1; eps = 1e-6) -> { y, h = add_rms_norm(x, r, w, eps = eps); q, _ = int8_token(y); q, h / n }",
    "(x[.., 2 * n], s[.., n / 16], g[..1]) -> { h[_, 4] = softmax(swiglu_packed(x * g)); dequantise_mxfp8(h, s) }",
    "(x, label) -> cross_entropy(x, label, ignore = -1) + mse(x, rms_norm_llama(x + 1, x))",
)
WORDS = ("->", "**", "//", "<=", ">=", "==", "!=", "true", "false", "inf", "nan", "where(", "cast(", "gelu(", "pow(",
         "clamp(", "lerp(", "index(x, -1)", "extent(x, -1)", "chunk(x, 0, 2)", "concat(", "approximate = tanh",
         "bf16", "e4m3fn", "9223372036854775807", "1e-6", "sum(", "exp2(", "fma(",
         "axis = ", "(-2, -1)", "all", "group = 2", "group = (2, 2)", "mean(", "amax(", "var(", "cumsum(", "spread(",
         "gather(", "scatter(", "store_if(", "tiled(", "detach(", "logsumexp(", "reverse = true", "[..b, n]", "[..1]",
         "[.., 2 * n]", "[n / 16]", "[_]", "y, h = ", "_, ", "rms_norm(", "add_rms_norm(", "fp8_group(", "softmax(", "eps = ")


def write_text_seeds(folder):
    """An even first byte: a text, then bytes for its operands; an odd one: calls of the builder."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1)
    for i, text in enumerate(TEXTS):
        (folder / f"text_{i:02}").write_bytes(b"\0" + text.encode() + b"\0" + rng.randbytes(24))
    for i in range(32):
        (folder / f"calls_{i:02}").write_bytes(b"\1" + bytes([59]) + rng.randbytes(300))


def write_call_seeds(folder):
    """Zeros end a sequence of calls; of random bytes one in four is executed."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(2)
    for i in range(96):
        (folder / f"calls_{i:02}").write_bytes(rng.randbytes(300))


def write_seeds(folder):
    """The first byte chooses the operator; zeros after it mean the plainest valid call."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(1)
    for op in range(OPERATORS):
        (folder / f"plain_{op:02}").write_bytes(bytes([op]) + bytes(24))
        (folder / f"random_{op:02}").write_bytes(bytes([op]) + rng.randbytes(120))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", type=pathlib.Path, help="the libFuzzer program")
    parser.add_argument("--texts", action="store_true", help="it takes texts of expressions")
    parser.add_argument("--calls", action="store_true", help="it takes calls of the builder")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for the corpus")
    args = parser.parse_args()
    if args.target is None:
        print("skipped: this compiler has no libFuzzer (Debian: libclang-rt-*-dev)")
        return SKIPPED
    seconds = max(1, int(os.environ.get("TILEOPS_FUZZ_SECONDS", "60")) // TARGETS)
    corpus, found = args.work / "corpus", args.work / "found"
    words = []
    if args.texts:
        write_text_seeds(args.work / "seeds")
        (args.work / "words.txt").write_text("".join(f'"{word}"\n' for word in WORDS))
        words = [f"-dict={args.work / 'words.txt'}"]
    elif args.calls:
        write_call_seeds(args.work / "seeds")
    else:
        write_seeds(args.work / "seeds")
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    for old in found.iterdir():
        old.unlink()
    log = args.work / "log.txt"
    with log.open("w") as file:
        status = subprocess.run(
            [args.target, corpus, args.work / "seeds", f"-max_total_time={seconds}", "-max_len=512",
             "-rss_limit_mb=2048", "-timeout=20", "-print_final_stats=1",
             f"-artifact_prefix={found}/", *words],
            stdout=file, stderr=subprocess.STDOUT, check=False).returncode
    lines = log.read_text(errors="replace").splitlines()
    progress = ("#", "\tNEW_FUNC", "INFO:", '"')
    for line in lines:
        if not line.startswith(progress) if status else line.startswith("stat::"):
            print(line)
    for path in sorted(found.iterdir()):
        text = base64.b64encode(path.read_bytes()).decode()
        print(f"\nreproduce: echo {text} | base64 -d > bytes && {args.target} bytes")
    if status:
        print(f"fuzz: failed (status {status})")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
