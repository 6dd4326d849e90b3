"""Writes the demo's inputs as .npy files: make_arrays.py DIR."""

import sys

import numpy as np


def to_bfloat16(x):
  """Nearest bfloat16, ties to even, as raw two-byte elements."""
  bits = x.astype(np.float32).view(np.uint32)
  bits = bits + 0x7FFF + ((bits >> 16) & 1)
  return (bits >> 16).astype(np.uint16).view("V2")


def main():
  folder = sys.argv[1]
  rng = np.random.default_rng(0)
  normal = lambda *shape: rng.standard_normal(shape, dtype=np.float32)
  np.save(f"{folder}/silu_and_mul_x.npy", (3 * normal(1024, 16384)).astype(np.float16))
  np.save(f"{folder}/add_x.npy", normal(2048, 4096))
  np.save(f"{folder}/add_bias.npy", normal(4096))
  np.save(f"{folder}/rope_neox_x.npy", to_bfloat16(normal(2, 1024, 32, 128)))
  for name in "gur":
    x = 3 * normal(512, 4096)
    np.save(f"{folder}/chain_float32_{name}.npy", x)
    np.save(f"{folder}/chain_bfloat16_{name}.npy", to_bfloat16(x))


if __name__ == "__main__":
  main()
