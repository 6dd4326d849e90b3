"""Checks the demo's results against NumPy in float64 and prints the table: check.py DIR TIMINGS.

Nothing of the library is used here.
"""

import sys

import numpy as np

# Mantissa bits and least normal exponent, for the spacing of values.
FORMATS = {"float16": (10, -14), "bfloat16": (7, -126), "float32": (23, -126)}

# Correctly rounded is 0.5; float32 intermediates leave a little more.
BOUNDS = {"float16": 0.51, "bfloat16": 0.51, "float32": 0.5}
# How far the chain as one expression may be off: bfloat16 is rounded once; in float32 silu is within 2 ulp and each
# step rounds.
CHAIN_BOUNDS = {"bfloat16": 0.51, "float32": 4}


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


def chain(folder, dtype):
  g, u, r = (load(f"{folder}/chain_{dtype}_{name}.npy")[0] for name in "gur")
  product = g / (1 + np.exp(-g)) * u
  want = product + r
  # Where the product and r cancel, the product keeps its own last places.
  return want, np.maximum(np.abs(want), np.abs(product))


def max_ulp(got, want, scale, dtype):
  mantissa, least = FORMATS[dtype]
  exponent = np.maximum(np.frexp(scale)[1] - 1, least)
  return float(np.max(np.abs(got - want) / np.ldexp(1.0, exponent - mantissa)))


def check_op(folder, op, seconds, moved, copy_seconds):
  """Prints the line of an operator; True if its result is good."""
  got, dtype = load(f"{folder}/{op}_y.npy")
  want, scale = globals()[op](folder)
  good = got.shape == want.shape
  error = max_ulp(got, want, scale, dtype) if good else float("inf")
  good = good and error <= BOUNDS[dtype]
  print(f"{op:<14}{str(got.shape):<22}{dtype:<10}{error:>6.3f} ulp{seconds * 1e3:>8.3f} ms"
        f"{moved / seconds * 1e-9:>8.1f} GB/s{copy_seconds / seconds:>10.0%}"
        f"{'' if good else '   WRONG'}")
  return good


def check_chain(folder, dtype, three, fused):
  """Prints the line of the chain in a dtype; True if both results are good."""
  want, scale = chain(folder, dtype)
  errors = []
  for name in ("three", "fused"):
    got, kind = load(f"{folder}/{name}_{dtype}_y.npy")
    errors.append(max_ulp(got, want, scale, dtype) if got.shape == want.shape and kind == dtype else float("inf"))
  # Three roundings to bfloat16 beside one; float32 is rounded after each step in either case.
  good = errors[0] <= 3 and errors[1] <= CHAIN_BOUNDS[dtype]
  print(f"{dtype:<10}{three * 1e3:>16.3f} ms{errors[0]:>9.3f} ulp{fused * 1e3:>15.3f} ms{errors[1]:>9.3f} ulp"
        f"{three / fused:>9.2f}x{'' if good else '   WRONG'}")
  return good


def main():
  folder, timings = sys.argv[1:]
  rows = {}
  for line in open(timings, encoding="utf-8"):
    name, seconds, moved, copy_seconds = line.split()
    rows[name] = float(seconds), int(moved), float(copy_seconds)
  print(f"{'op':<14}{'result':<22}{'dtype':<10}{'max error':>10}{'time':>11}{'rate':>13}"
        f"{'of memcpy':>11}")
  good = [check_op(folder, op, *rows[op]) for op in ("silu_and_mul", "add", "rope_neox")]
  print("Errors are in units in the last place of the result, against NumPy in float64 (0.5: the "
        "nearest\nvalue). Rates count bytes read and written; memcpy moves as many on one thread.\n")
  print(f"silu(g) * u + r of {load(folder + '/chain_float32_g.npy')[0].shape}:\n"
        f"{'dtype':<10}{'three operators':>19}{'max error':>13}{'one expression':>18}{'max error':>13}{'ratio':>10}")
  good += [check_chain(folder, dtype, rows["three_" + dtype][0], rows["fused_" + dtype][0])
           for dtype in ("float32", "bfloat16")]
  sys.exit(not all(good))


if __name__ == "__main__":
  main()
