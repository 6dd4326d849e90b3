"""Checks the demo's results against NumPy in float64 and prints the table: check.py DIR TIMINGS.

Nothing of the library is used here.
"""

import sys

import numpy as np

# Mantissa bits and least normal exponent, for the spacing of values.
FORMATS = {"float16": (10, -14), "bfloat16": (7, -126), "float32": (23, -126)}

# Correctly rounded is 0.5; float32 intermediates leave a little more.
BOUNDS = {"float16": 0.51, "bfloat16": 0.51, "float32": 0.5}


def load(path):
  """A file as float64, and the name of its dtype; raw two-byte elements are bfloat16."""
  x = np.load(path)
  if x.dtype == np.dtype("V2"):
    bits = x.view(np.uint16).astype(np.uint32) << 16
    return bits.view(np.float32).astype(np.float64), "bfloat16"
  return x.astype(np.float64), x.dtype.name


def silu_and_mul(folder):
  x, _ = load(f"{folder}/silu_and_mul_x.npy")
  gate, up = np.split(x, 2, axis=-1)
  want = gate / (1 + np.exp(-gate)) * up
  return want, np.abs(want)


def add(folder):
  x, _ = load(f"{folder}/add_x.npy")
  bias, _ = load(f"{folder}/add_bias.npy")
  want = x + bias
  return want, np.abs(want)


def rope_neox(folder):
  x, _ = load(f"{folder}/rope_neox_x.npy")
  half = x.shape[-1] // 2
  frequency = 10000.0 ** (-np.arange(half) / half)
  angle = (np.arange(x.shape[1])[:, None] * frequency)[:, None, :]
  a, b = x[..., :half], x[..., half:]
  cos, sin = np.cos(angle), np.sin(angle)
  want = np.concatenate([a * cos - b * sin, b * cos + a * sin], axis=-1)
  # Where the two products cancel, float32 keeps 24 bits of them and not of their difference.
  terms = np.maximum(np.abs(a), np.abs(b)) * 2.0**-8
  return want, np.maximum(np.abs(want), np.concatenate([terms, terms], axis=-1))


def max_ulp(got, want, scale, dtype):
  mantissa, least = FORMATS[dtype]
  exponent = np.maximum(np.frexp(scale)[1] - 1, least)
  return float(np.max(np.abs(got - want) / np.ldexp(1.0, exponent - mantissa)))


def main():
  folder, timings = sys.argv[1:]
  print(f"{'op':<14}{'result':<22}{'dtype':<10}{'max error':>10}{'time':>11}{'rate':>13}"
        f"{'of memcpy':>11}")
  failed = False
  for line in open(timings, encoding="utf-8"):
    op, seconds, moved, copy_seconds = line.split()
    seconds, moved, copy_seconds = float(seconds), int(moved), float(copy_seconds)
    got, dtype = load(f"{folder}/{op}_y.npy")
    want, scale = globals()[op](folder)
    good = got.shape == want.shape
    error = max_ulp(got, want, scale, dtype) if good else float("inf")
    good = good and error <= BOUNDS[dtype]
    failed |= not good
    print(f"{op:<14}{str(got.shape):<22}{dtype:<10}{error:>6.3f} ulp{seconds * 1e3:>8.3f} ms"
          f"{moved / seconds * 1e-9:>8.1f} GB/s{copy_seconds / seconds:>10.0%}"
          f"{'' if good else '   WRONG'}")
  print("Errors are in units in the last place of the result, against NumPy in float64 (0.5: the "
        "nearest\nvalue). Rates count bytes read and written; memcpy moves as many on one thread.")
  sys.exit(failed)


if __name__ == "__main__":
  main()
