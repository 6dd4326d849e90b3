"""Drives the tileops command: test_cli.py PATH_OF_TILEOPS. Exit code 77: skipped, no NumPy."""

import json
import os
import re
import resource
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

try:
  import numpy as np
except ImportError:
  print("skipped: NumPy is not installed for", sys.executable)
  sys.exit(77)

TILEOPS = os.path.abspath(sys.argv.pop(1))


def bf16_bits(x):
  """Nearest bfloat16 of float32 values, ties to even."""
  bits = np.asarray(x, np.float32).view(np.uint32)
  return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bf16(bits):
  return (bits.astype(np.uint32) << 16).view(np.float32)


class CliTest(unittest.TestCase):

  def setUp(self):
    self.folder = tempfile.TemporaryDirectory()
    self.addCleanup(self.folder.cleanup)
    self.rng = np.random.default_rng(7)

  def path(self, name):
    return os.path.join(self.folder.name, name)

  def save(self, name, x):
    np.save(self.path(name), x)
    return self.path(name)

  def tileops(self, *args, code=0, env=None):
    done = subprocess.run([TILEOPS, *map(str, args)], capture_output=True, text=True, timeout=500,
                          env={**os.environ, **(env or {})}, check=False)
    self.assertEqual(done.returncode, code, f"{args}\n{done.stdout}\n{done.stderr}")
    if code == 0:
      self.assertEqual(done.stderr, "", "stderr must be silent on success")
    else:
      self.assertIn("tileops: error: ", done.stderr)
      self.assertEqual(done.stdout, "", "stdout holds nothing but results")
    return done.stderr if code else done.stdout

  def refused(self, pattern, *args, code=2):
    self.assertRegex(self.tileops(*args, code=code), pattern)

  def run_op(self, op, *inputs, args=(), out="y.npy"):
    """Runs op on arrays (or file arguments) and returns the output array."""
    options = []
    for i, x in enumerate(inputs):
      options += ["-i", x if isinstance(x, str) else self.save(f"in{i}.npy", x)]
    printed = self.tileops("run", op, *options, *args, "-o", self.path(out))
    self.assertEqual(printed, "")
    return np.load(self.path(out))


class InfoAndOps(CliTest):

  def test_help_and_version(self):
    self.assertRegex(self.tileops("--version"), r"^tileops \d+\.\d+\.\d+\n$")
    for command in ("info", "ops", "run", "expr", "bench", "tune", "selftest"):
      self.assertIn("Usage", self.tileops(command, "--help"))
      self.assertIn(command, self.tileops("--help"))

  def test_strategies_are_for_gpus(self):
    x = self.save("x.npy", np.ones(3, np.float32))
    y = self.path("y.npy")
    self.refused(r"--strategy: unknown 'fast' \(need one of auto, direct", "run", "relu", "-i", x, "-o", y,
                 "--strategy", "fast")
    self.refused(r"strategy: is for CUDA plans \(got direct on the CPU", "run", "relu", "-i", x, "-o", y,
                 "--strategy", "direct", code=1)
    self.refused(r"threads: is no block size \(got 100", "bench", "relu", "-n", "16", "--strategy",
                 "direct", "--block-threads", "100", code=1)
    self.refused(r"tuning is for CUDA devices", "tune", "relu", "-n", "1Ki", "--device", "cpu", code=1)
    self.refused(r"no operator 'nope'", "tune", "nope")

  def test_info(self):
    info = json.loads(self.tileops("info", "--json"))
    self.assertEqual(info["devices"][0]["device"], "cpu")
    self.assertRegex(info["version"], r"^\d+\.\d+\.\d+$")
    self.assertGreaterEqual(info["ops"], 73)
    text = self.tileops("info")
    self.assertIn(info["version"], text)
    self.assertIn(info["isa"], text)
    cached = json.loads(self.tileops("info", "--json", env={"TILEOPS_CACHE_DIR": self.path("c")}))
    self.assertEqual(cached["cache_dir"], self.path("c"))

  def test_ops(self):
    table = json.loads(self.tileops("ops", "--json"))
    names = [op["name"] for op in table]
    self.assertEqual(len(names), len(set(names)))
    self.assertEqual(len(self.tileops("ops").splitlines()), len(names))
    for name in ("gelu", "silu_and_mul", "rope_yarn", "dropout", "cast"):
      self.assertIn(name, names)
    markdown = self.tileops("ops", "--markdown").splitlines()
    self.assertTrue(all(line.startswith("|") and line.endswith("|") for line in markdown))
    columns = {len(re.findall(r"(?<!\\)\|", line)) for line in markdown}
    self.assertEqual(len(columns), 1, "every row has as many cells")
    (gelu,) = json.loads(self.tileops("ops", "gelu", "--json"))
    approximate = next(a for a in gelu["attributes"] if a["name"] == "approximate")
    self.assertEqual(approximate["choices"], ["none", "tanh"])
    self.assertEqual(approximate["default"], "none")
    text = self.tileops("ops", "dropout")
    for word in ("seed_offset", "mask", "training", "optional", "from 0 to 1", "Philox4x32-10", "c0 and c1"):
      self.assertIn(word, text)
    self.assertLess(max(map(len, text.splitlines())), 100, "wrapped")
    details = {op["name"]: op["details"] for op in table}
    self.assertEqual(" ".join(text.split()).count(" ".join(details["dropout"].split())), 1)
    self.assertIn("(..., 2N)", details["silu_and_mul"])
    self.assertIn("tanh = 1", details["gelu"])
    self.assertIn("(B, S)", details["rope_yarn"])

  def test_errors(self):
    self.refused("no operator 'gelo'.*did you mean .*gelu", "ops", "gelo")
    self.refused("no operator 'zzzzzz'", "ops", "zzzzzz")
    self.refused("subcommand", code=2)
    self.refused("nonsense", "nonsense")
    self.refused("excludes", "ops", "--json", "--markdown")


class Run(CliTest):

  def test_add_broadcast_alpha(self):
    a = self.rng.standard_normal((3, 1, 5)).astype(np.float32)
    b = self.rng.standard_normal((4, 5)).astype(np.float32)
    y = self.run_op("add", a, b, args=["--attr", "alpha=2"])
    self.assertEqual(y.dtype, np.float32)
    np.testing.assert_allclose(y, a + 2 * b.astype(np.float64), rtol=1e-5, atol=1e-6)

  def test_dtypes_in_and_out(self):
    for dtype in ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"):
      x = np.arange(24).reshape(2, 3, 4).astype(dtype)
      y = self.run_op("cast", x)
      self.assertEqual((y.dtype, y.shape), (x.dtype, x.shape))
      np.testing.assert_array_equal(x, y)

  def test_promotion(self):
    for a, b, want in (("f2", "f4", "f4"), ("i4", "f2", "f2"), ("u1", "i1", "i2"),
                       ("?", "i8", "i8"), ("i4", "i8", "i8"), ("f4", "f8", "f8")):
      y = self.run_op("add", np.ones(3, a), np.ones(3, b))
      self.assertEqual(y.dtype, np.dtype(want), (a, b))
      np.testing.assert_array_equal(y, [2, 2, 2])
    # A 0-d operand raises the category only.
    self.assertEqual(self.run_op("mul", np.ones(3, "f2"), np.ones((), "f8")).dtype, np.float16)
    self.assertEqual(self.run_op("mul", np.ones(3, "i4"), np.ones((), "f8")).dtype, np.float64)
    self.assertEqual(self.run_op("exp", np.ones(3, "i4")).dtype, np.float32)
    self.assertEqual(self.run_op("gt", np.ones(3), np.zeros(3)).dtype, np.bool_)
    seven, two = np.full(3, -7, "i4"), np.full(3, 2, "i4")
    self.assertEqual(self.run_op("div", seven, two).dtype, np.float32)
    y = self.run_op("div", seven, two, args=["-a", "rounding=floor"])
    np.testing.assert_array_equal(y, np.array([-4, -4, -4], "i4"))
    self.assertEqual(y.dtype, np.int32)

  def test_fortran_order(self):
    x = np.asfortranarray(self.rng.standard_normal((5, 7, 3)).astype(np.float32))
    b = self.rng.standard_normal((7, 1)).astype(np.float32)
    self.assertFalse(x.flags.c_contiguous)
    y = self.run_op("sub", x, b)
    np.testing.assert_array_equal(y, x - b)
    self.assertIn("(5, 7, 3) f32", self.tileops("run", "neg", "-i", self.save("x.npy", x), "-v",
                                                "-o", self.path("y.npy")))

  def test_bfloat16(self):
    x = self.rng.standard_normal(1000).astype(np.float32) * 5
    bits = bf16_bits(x)
    path = self.save("x.npy", bits.view("V2"))
    self.refused(r"dtype .*V2.* needs a name", "run", "relu", "-i", path, "-o", self.path("y.npy"))
    y = self.run_op("silu", path + ":bf16")
    self.assertEqual(y.dtype, np.dtype("V2"))
    exact = from_bf16(bits).astype(np.float64)
    exact = exact / (1 + np.exp(-exact))
    np.testing.assert_array_equal(y.view(np.uint16), bf16_bits(exact.astype(np.float32)))
    same = self.run_op("silu", path, args=["--input-dtype", "bfloat16"])
    np.testing.assert_array_equal(same, y)
    with open(self.path("y.npy"), "rb") as file:
      self.assertIn(b"'descr': '<V2'", file.read(128))
    # float32 in, bfloat16 out; the same bits held as uint16 may be named too.
    y = self.run_op("cast", x, args=["-d", "bf16"])
    np.testing.assert_array_equal(y.view(np.uint16), bits)
    y = self.run_op("cast", self.save("u.npy", bits) + ":bf16", args=["-d", "f32"])
    np.testing.assert_array_equal(y, from_bf16(bits))

  def test_float8(self):
    y = self.run_op("cast", np.array([0, 1, -2, 448, 1e6, 2.0**-9], "f4"), args=["-d", "e4m3fn"])
    self.assertEqual(y.dtype, np.dtype("V1"))
    np.testing.assert_array_equal(y.view("u1"), [0, 0x38, 0xC0, 0x7E, 0x7E, 1])
    with open(self.path("y.npy"), "rb") as file:
      self.assertIn(b"'descr': '|V1'", file.read(128))
    back = self.run_op("cast", self.path("y.npy") + ":float8_e4m3fn", args=["-d", "f32"],
                       out="z.npy")
    np.testing.assert_array_equal(back, np.array([0, 1, -2, 448, 448, 2.0**-9], "f4"))
    y = self.run_op("cast", np.array([1e6], "f4"),
                    args=["-d", "e4m3fn", "-a", "fp8_overflow=nonsaturating"])
    self.assertEqual(y.view("u1")[0] & 0x7F, 0x7F)

  def test_fours(self):
    x = np.array([[0, 0.25, 0.75, 1.25], [5, 7, -3, np.nan]], np.float32)
    self.run_op("cast", x, args=["-d", "e2m1fn"])
    with open(self.path("y.npy"), "rb") as file:
      codes = np.frombuffer(file.read()[-8:], np.uint8)  # a byte for each
    self.assertEqual(codes.tolist(), [0, 0, 2, 2, 6, 7, 13, 0])
    back = self.run_op("cast", self.path("y.npy") + ":e2m1fn", args=["-d", "f32"], out="z.npy")
    self.assertEqual(back.tolist(), [[0, 0, 1, 1], [4, 6, -3, 0]])
    again = self.run_op("cast", codes.reshape(2, 4), args=["--input-dtype", "e2m1fn", "-d", "f32"], out="z.npy")
    self.assertEqual(again.tolist(), back.tolist())

  def test_scales(self):
    x = np.array([1, 1.25, 3, -5, 0, 2.0**127, np.nan], "f4")
    for rounding, codes in (("none", [127, 127, 129, 129, 0, 254, 255]), ("up", [127, 128, 129, 130, 0, 254, 255])):
      y = self.run_op("cast", x, args=["-d", "e8m0fnu", "-a", "rounding=" + rounding])
      self.assertEqual(y.dtype, np.dtype("V1"))
      np.testing.assert_array_equal(y.view("u1"), codes)
    back = self.run_op("cast", self.path("y.npy") + ":e8m0fnu", args=["-d", "f32"], out="z.npy")
    np.testing.assert_array_equal(back, np.array([1, 2, 4, 8, 2.0**-127, 2.0**127, np.nan], "f4"))

  def test_npy_versions(self):
    x = np.arange(6, dtype=np.float64).reshape(2, 3)
    for version in ((1, 0), (2, 0), (3, 0)):
      with open(self.path("v.npy"), "wb") as file:
        np.lib.format.write_array(file, x, version=version)
      np.testing.assert_array_equal(self.run_op("neg", self.path("v.npy")), -x)

  def test_shapes(self):
    for shape in ((), (1,), (0,), (3, 0, 2), (2, 1, 1, 3)):
      x = np.ones(shape, np.float32)
      y = self.run_op("exp", x)
      self.assertEqual(y.shape, shape)
      np.testing.assert_allclose(y, np.exp(x))

  def test_gated(self):
    x = self.rng.standard_normal((4, 10))
    gate, value = x[:, :5], x[:, 5:]
    want = gate / (1 + np.exp(-gate)) * value
    np.testing.assert_allclose(self.run_op("silu_and_mul", x), want, rtol=1e-14)
    np.testing.assert_allclose(self.run_op("silu_and_mul", gate, value), want, rtol=1e-14)

  def test_optional_operands(self):
    x = self.rng.standard_normal(50).astype(np.float32)
    top = np.full(50, 0.25, np.float32)
    np.testing.assert_array_equal(self.run_op("clamp", x, "-", top), np.minimum(x, top))
    np.testing.assert_array_equal(self.run_op("clamp", x, args=["-a", "min=-0.5"]),
                                  np.maximum(x, np.float32(-0.5)))
    np.testing.assert_array_equal(self.run_op("where", x > 0, x, top), np.where(x > 0, x, top))
    np.testing.assert_array_equal(
        self.run_op("masked_fill", x, x > 0, args=["-a", "value=-9"]), np.where(x > 0, -9, x))

  def test_dropout_mask(self):
    x = np.ones(1000, np.float32)
    y = self.run_op("dropout", x, args=["-a", "p=0.25", "-a", "seed=3", "-o", self.path("m.npy")],
                    out="y.npy")
    # The order of -o is the order of the outputs.
    mask, y = y, np.load(self.path("m.npy"))
    self.assertEqual(mask.dtype, np.bool_)
    np.testing.assert_allclose(y, mask / np.float32(0.75), rtol=1e-6)
    self.assertTrue(650 < mask.sum() < 850)

  def test_rope(self):
    x = self.rng.standard_normal((6, 2, 8))  # positions, heads, dim
    angle = np.arange(6)[:, None] * 10000.0 ** (-np.arange(4) / 4)
    cos, sin = np.cos(angle)[:, None, :], np.sin(angle)[:, None, :]
    a, b = x[..., :4], x[..., 4:]
    want = np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)
    np.testing.assert_allclose(self.run_op("rope_neox", x), want, rtol=1e-12, atol=1e-14)

  def test_no_input(self):
    y = self.run_op("sinusoidal", args=["--shape", "5,4"])
    p = np.arange(5)[:, None] / 10000.0 ** (np.arange(2) / 2)
    want = np.stack([np.sin(p), np.cos(p)], -1).reshape(5, 4)
    np.testing.assert_allclose(y, want, rtol=3e-7, atol=1e-7)
    self.assertEqual(y.dtype, np.float32)
    y = self.run_op("alibi", args=["--shape", "8x3x3", "-d", "f16"])
    self.assertEqual((y.dtype, y.shape), (np.float16, (8, 3, 3)))
    self.assertEqual(y[0, 0, 2], -1)

  def test_seed_of_64_bits(self):
    x = np.ones(1000, np.float32)
    mask = lambda key, value: self.run_op("dropout", x, args=["-a", f"{key}={value}"]) != 0
    for key in ("seed", "offset"):
      for signed, unsigned in ((-1, 2**64 - 1), (-2**63, 2**63)):
        np.testing.assert_array_equal(mask(key, signed), mask(key, unsigned))
      self.assertTrue((mask(key, 2**64 - 1) != mask(key, 2**63)).any())
      for bad in (2**64, -2**63 - 1):
        self.refused("integer out of range", "run", "dropout", "-i", self.path("in0.npy"), "-a", f"{key}={bad}",
                     "-o", self.path("z.npy"))
    # Where there is a range, a number beyond it has no second meaning.
    self.refused("out of range", "run", "dropout", "-i", self.path("in0.npy"), "-a", f"training={2**64 - 1}",
                 "-o", self.path("z.npy"))

  def test_colon_in_name(self):
    x = np.ones(3, np.float32)
    os.rename(self.save("a.npy", x), self.path("a:b"))
    np.testing.assert_array_equal(self.run_op("neg", self.path("a:b")), -x)

  def test_operator_behind_its_options(self):
    x, y = self.save("x.npy", np.ones(3, np.float32)), self.path("y.npy")
    self.tileops("run", "-i", x, "-o", y, "neg")
    np.testing.assert_array_equal(np.load(y), [-1, -1, -1])
    self.assertEqual(len(self.tileops("bench", "-n", "1Ki", "--seconds", "0.001", "-d", "f32", "neg", "abs").splitlines()),
                     3)

  def test_usage_errors(self):
    x = self.save("x.npy", np.ones((2, 3), np.float32))
    y = self.path("y.npy")
    run = lambda op, *args: ("run", op, *args)
    self.refused("no operator 'ad'.*add", *run("ad", "-i", x, "-o", y))
    self.refused("output", *run("exp", "-i", x))
    self.refused("needs --input for 'b'", *run("add", "-i", x, "-o", y))
    self.refused("needs --input for 'x'", *run("exp", "-i", "-", "-o", y))
    self.refused("takes at most 1", *run("exp", "-i", x, "-i", x, "-o", y))
    self.refused("got 2 --output", *run("exp", "-i", x, "-o", y, "-o", y))
    self.refused("no attribute 'beta'.*alpha",
                 *run("add", "-i", x, "-i", x, "-a", "beta=1", "-o", y))
    self.refused("NAME=VALUE", *run("add", "-i", x, "-i", x, "-a", "alpha", "-o", y))
    self.refused("not a number", *run("add", "-i", x, "-i", x, "-a", "alpha=x", "-o", y))
    self.refused("given twice",
                 *run("add", "-i", x, "-i", x, "-a", "alpha=1", "-a", "alpha=2", "-o", y))
    self.refused("none.tanh", *run("gelu", "-i", x, "-a", "approximate=erf", "-o", y))
    self.refused("out of range", *run("dropout", "-i", x, "-a", "p=1.5", "-o", y))
    self.refused("not an integer", *run("dropout", "-i", x, "-a", "seed=1.5", "-o", y))
    # Numbers are those of texts: no other base, no sign '+', digits on both sides of a point, none beyond float64.
    for number in ("0x10", "010", "+1", " 1", "1 ", "", "1e2", "1_000"):
      self.refused("--attr seed: not an integer", *run("dropout", "-i", x, "-a", f"seed={number}", "-o", y))
    for number in ("0x10", "0x1p3", "01.5", "+1", ".5", "1.", "1e", "1e+", "1,5", "infinity", "nan(1)", "-nan", "--1"):
      self.refused("--attr alpha: not a number", *run("add", "-i", x, "-i", x, "-a", f"alpha={number}", "-o", y))
    for number in ("1e400", "-1e400"):
      self.refused(f"--attr alpha: beyond float64: {number}", *run("add", "-i", x, "-i", x, "-a", f"alpha={number}",
                                                                 "-o", y))
    for option in (("--threads", "0x2"), ("--threads", "02"), ("--num-per-thread", "0x4")):
      self.refused("not a number", *run("neg", "-i", x, *option, "-o", y))
    self.refused("unknown dtype 'f13'", *run("exp", "-i", x, "-d", "f13", "-o", y))
    self.refused("unknown device 'tpu'", *run("exp", "-i", x, "--device", "tpu", "-o", y))
    self.refused("give --shape", *run("alibi", "-o", y))
    self.refused("negative extent", *run("alibi", "--shape", "2,-3,4", "-o", y))
    self.refused("has dtype f32, not bf16", *run("exp", "-i", x + ":bf16", "-o", y))
    self.refused("threads", *run("exp", "-i", x, "--threads", "0", "-o", y))
    self.refused("frobnicate", *run("exp", "-i", x, "--frobnicate", "-o", y))
    self.assertFalse(os.path.exists(y), "a refused run writes nothing")

  def test_failed_runs(self):
    x = self.save("x.npy", np.ones((2, 3), np.float32))
    y = self.path("y.npy")
    fails = lambda pattern, *args: self.refused(pattern, "run", *args, "-o", y, code=1)
    fails("cannot open", "exp", "-i", self.path("none.npy"))
    fails("do not broadcast", "add", "-i", x, "-i", self.save("b.npy", np.ones(4, np.float32)))
    fails("float", "gelu", "-i", self.save("i.npy", np.ones(3, np.int32)))
    fails("even", "silu_and_mul", "-i", x)
    fails("min.*max", "clamp", "-i", x)
    fails("shape", "exp", "-i", x, "--shape", "7")
    fails("big-endian", "exp", "-i", self.save("be.npy", np.ones(3, ">f4")))
    fails("c16", "exp", "-i", self.save("c.npy", np.ones(3, np.complex128)))
    fails("structured", "exp", "-i", self.save("s.npy", np.ones(3, [("a", "f4"), ("b", "i4")])))
    np.savez(self.path("z.npz"), a=np.ones(3))
    fails("npz", "exp", "-i", self.path("z.npz"))
    with open(x, "rb") as file:
      data = file.read()
    for name, content in (("short", data[:-1]), ("header", data[:40]), ("empty", b""),
                          ("version", b"\x93NUMPY\x09\x00" + data[8:]),
                          ("shape", data.replace(b"(2, 3), }", b"(9, 9), }")),
                          ("negative", data.replace(b"(2, 3), }", b"(-2,3), }")),
                          ("key", data.replace(b"descr", b"descx"))):
      with open(self.path("bad.npy"), "wb") as file:
        file.write(content)
      with self.subTest(name):
        fails("npy", "exp", "-i", self.path("bad.npy"))
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + "1, " * 33 + "), }\n"
    with open(self.path("deep.npy"), "wb") as file:
      file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + b"1234")
    fails(r"deep.npy: too many dimensions \(got 33, need at most 32\)", "exp", "-i", self.path("deep.npy"))
    self.refused("cannot write", "run", "exp", "-i", x, "-o", self.path("no/such/y.npy"), code=1)
    self.refused("cannot write", "run", "exp", "-i", x, "-o", "/dev/full", code=1)
    self.assertFalse(os.path.exists(y))


class Output(CliTest):
  """What is written arrives, or the command says so and leaves everything as it was."""

  LIMIT = 4096  # bytes, of a file; the arrays below are larger

  def content(self, name):
    with open(self.path(name), "rb") as file:
      return file.read()

  def fails_when_full(self, *args):
    """Runs the command where no file may grow beyond LIMIT, as on a full disk."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (self.LIMIT, self.LIMIT))
    done = subprocess.run([TILEOPS, *args], capture_output=True, text=True, preexec_fn=limit, timeout=100,
                          check=False)
    self.assertEqual(done.returncode, 1, done)
    self.assertRegex(done.stderr, r"^tileops: error: cannot write .*: File too large\n$")

  def test_failed_write_keeps_the_target(self):
    x = self.save("x.npy", np.ones(100_000, np.float32))
    y = self.save("y.npy", np.arange(7))
    before = {name: self.content(name) for name in ("x.npy", "y.npy")}
    self.fails_when_full("run", "neg", "-i", x, "-o", y)
    self.fails_when_full("run", "neg", "-i", x, "-o", x)  # the input is the output
    self.fails_when_full("run", "neg", "-i", x, "-o", self.path("new.npy"))
    self.assertEqual(sorted(os.listdir(self.folder.name)), ["x.npy", "y.npy"], "nothing is left behind")
    self.assertEqual(before, {name: self.content(name) for name in before})
    # Two outputs, of which the second one fails: the first is not replaced either.
    self.refused("cannot write .*No such file", "run", "dropout", "-i", x, "-o", y, "-o",
                 self.path("no/such/m.npy"), code=1)
    self.assertEqual(before["y.npy"], self.content("y.npy"))
    self.assertEqual(sorted(os.listdir(self.folder.name)), ["x.npy", "y.npy"])
    self.refused("cannot write .*Is a directory", "run", "neg", "-i", x, "-o", self.folder.name, code=1)
    np.testing.assert_array_equal(self.run_op("neg", x, out="x.npy"), -np.ones(100_000, np.float32))

  def test_replaced_file(self):
    x, y = self.save("x.npy", np.ones(3)), self.save("y.npy", np.zeros(3))
    mode = lambda name: stat.S_IMODE(os.stat(self.path(name)).st_mode)
    os.chmod(y, 0o640)
    np.testing.assert_array_equal(self.run_op("neg", x), -np.ones(3))
    self.assertEqual(mode("y.npy"), 0o640, "permissions are kept")
    old = os.umask(0o027)
    try:
      self.run_op("neg", x, out="new.npy")
    finally:
      os.umask(old)
    self.assertEqual(mode("new.npy"), 0o640, "a new file gets what the umask leaves")
    os.mkdir(self.path("sub"))
    # Links stay links: one to a file, one that is relative, one to nothing yet, one over another.
    for link, to, lands in (("a", y, "y.npy"), ("b", "sub/t.npy", "sub/t.npy"),
                            ("sub/c", "../u.npy", "u.npy"), ("d", "sub/c", "u.npy")):
      os.symlink(to, self.path(link))
      self.run_op("exp", x, out=link)
      self.assertTrue(os.path.islink(self.path(link)), link)
      self.assertFalse(os.path.islink(self.path(lands)), link)
      np.testing.assert_allclose(np.load(self.path(lands)), np.exp(np.ones(3)))
    os.symlink("loop", self.path("loop"))
    self.refused("cannot write .*symbolic links", "run", "exp", "-i", x, "-o", self.path("loop"), code=1)

  @unittest.skipIf(os.geteuid() == 0, "root may write what is read-only")
  def test_read_only_file(self):
    x, y = self.save("x.npy", np.ones(3)), self.save("y.npy", np.zeros(3))
    os.chmod(y, 0o444)
    before = self.content("y.npy")
    self.refused("cannot write .*Permission denied", "run", "neg", "-i", x, "-o", y, code=1)
    self.assertEqual(before, self.content("y.npy"))
    os.chmod(y, 0o644)
    os.chmod(self.folder.name, 0o555)
    self.refused("Permission denied .no file can be made beside it", "run", "neg", "-i", x, "-o", y, code=1)
    os.chmod(self.folder.name, 0o755)

  def test_pipe_and_device(self):
    x = self.save("x.npy", np.arange(50_000))
    os.mkfifo(self.path("pipe"))
    got = []
    reader = threading.Thread(target=lambda: got.append(self.content("pipe")))
    reader.start()
    self.tileops("run", "neg", "-i", x, "-o", self.path("pipe"))
    reader.join()
    self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))
    self.tileops("run", "neg", "-i", x, "-o", self.path("y.npy"))
    self.assertEqual(got[0], self.content("y.npy"))
    self.tileops("run", "neg", "-i", x, "-o", "/dev/null")
    self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

  def test_output_to_stdout(self):
    x = self.save("x.npy", np.ones((3, 5), np.float32))
    m, y = self.path("m.npy"), self.path("y.npy")
    self.tileops("run", "dropout", "-i", x, "-o", y, "-o", m)
    want = self.content("y.npy")
    for path, more in (("-", []), ("-", ["-v"]), ("/dev/stdout", []), ("/dev/fd/1", [])):
      done = subprocess.run([TILEOPS, "run", "dropout", "-i", x, "-o", path, "-o", m, *more],
                            capture_output=True, check=True, cwd=self.folder.name)
      self.assertEqual(done.stdout, want, "nothing else is on stdout")
      self.assertEqual(b"kernel" in done.stderr, bool(more), "the report goes to stderr")
    self.assertFalse(os.path.exists(self.path("-")))
    self.refused("only one output can go to stdout", "run", "dropout", "-i", x, "-o", "-", "-o", "-")
    with open("/dev/full", "wb") as full:
      done = subprocess.run([TILEOPS, "run", "neg", "-i", x, "-o", "-"], stdout=full, stderr=subprocess.PIPE,
                            check=False)
    self.assertEqual((done.returncode, done.stderr),
                     (1, b"tileops: error: cannot write to stdout: No space left on device\n"))
    subprocess.run([TILEOPS, "run", "neg", "-i", x, "-o", "./-"], check=True, cwd=self.folder.name)
    np.testing.assert_array_equal(np.load(self.path("-")), -np.load(x))
    self.assertRegex(" ".join(self.tileops("run", "--help").split()), r"- for an absent optional.* - for stdout")

  def test_one_file_for_two_outputs(self):
    x = self.save("x.npy", np.ones(9, np.float32))
    y = self.save("y.npy", np.zeros(3))
    os.mkdir(self.path("sub"))
    os.link(y, self.path("hard"))
    os.symlink("y.npy", self.path("soft"))
    os.symlink("../new.npy", self.path("sub/nothing_yet"))
    before = self.content("y.npy")
    for one, other in (("y.npy", "y.npy"), ("y.npy", "./sub/../y.npy"), ("y.npy", "hard"), ("soft", "y.npy"),
                       ("soft", "hard"), ("new.npy", "new.npy"), ("new.npy", "sub/../new.npy"),
                       ("new.npy", "sub/nothing_yet")):
      self.refused("two outputs to one file", "run", "dropout", "-i", x, "-o", self.path(one), "-o",
                   self.path(other))
    with open(self.path("y.npy"), "r+b") as file:
      done = subprocess.run([TILEOPS, "run", "dropout", "-i", x, "-o", "-", "-o", y], stdout=file,
                            stderr=subprocess.PIPE, check=False)
    self.assertEqual(done.returncode, 2, done)
    self.assertEqual(before, self.content("y.npy"))
    self.assertFalse(os.path.exists(self.path("new.npy")))
    self.tileops("run", "dropout", "-i", x, "-o", "/dev/null", "-o", "/dev/null")  # keeps neither

  def test_closed_streams(self):
    """A file that is opened must not take the number of a stream that the caller closed."""
    x = self.save("x.npy", np.ones(3))
    run = [TILEOPS, "run", "neg", "-i", x, "-v", "-o"]
    close = lambda *fds: (lambda: [os.close(fd) for fd in fds])
    done = subprocess.run([*run, self.path("y.npy")], preexec_fn=close(1), stderr=subprocess.PIPE, text=True,
                          check=False)
    self.assertEqual((done.returncode, done.stderr),
                     (1, "tileops: error: cannot write to stdout: Bad file descriptor\n"))
    done = subprocess.run([*run, "-"], preexec_fn=close(0, 2), stdout=subprocess.PIPE, check=True)
    self.assertEqual(done.stdout, self.content("y.npy"))
    subprocess.run([*run, self.path("z.npy")], preexec_fn=close(0, 1, 2), check=False)
    self.assertEqual(self.content("z.npy"), self.content("y.npy"))

  def test_lost_stdout(self):
    for args in (["--help"], ["--version"], ["run", "--help"], ["info"], ["info", "--json"], ["ops"],
                 ["ops", "--json"], ["ops", "--markdown"], ["ops", "gelu"], ["selftest", "relu"],
                 ["selftest", "relu", "--json"], ["bench", "relu", "-n", "1Ki,2Ki", "--seconds", "0.001"],
                 ["bench", "relu", "-n", "1Ki", "--seconds", "0.001", "--json"],
                 ["expr", "(x) -> x + 1"], ["expr", "(x) -> x + 1", "--json"], ["expr", "(x) -> x + 1", "--text"],
                 ["run", "relu", "-i", self.save("x.npy", np.ones(3)), "-o", self.path("y.npy"), "-v"]):
      with self.subTest(args), open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([TILEOPS, *args], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^tileops: error: cannot write to stdout")


class BenchAndSelftest(CliTest):

  def test_bench(self):
    result = json.loads(self.tileops("bench", "gelu", "add", "--dtype", "f32,bf16", "--sizes",
                                     "1Ki,4Ki", "--threads", "1", "--seconds", "0.01", "--json"))
    rows = result["results"]
    self.assertEqual(len(rows), 8)
    for row in rows:
      size = 4 if row["dtype"] == "f32" else 2
      self.assertEqual(row["bytes"], row["n"] * size * (3 if row["op"] == "add" else 2))
      self.assertGreater(row["percent_of_copy"], 0)
      self.assertLessEqual(row["seconds_min"], row["seconds_median"])
    text = self.tileops("bench", "neg", "-n", "1K", "--seconds", "0.01")
    self.assertEqual(len(text.splitlines()), 2)

  def test_bench_every_op(self):
    names = [op["name"] for op in json.loads(self.tileops("ops", "--json"))]
    result = json.loads(self.tileops("bench", *names, "-n", "2Ki", "--seconds", "0.001", "--json"))
    self.assertEqual([row["op"] for row in result["results"]], names)

  def test_bench_errors(self):
    self.refused("no operator", "bench", "gelux", "-n", "1Ki")
    self.refused("--sizes", "bench", "gelu", "-n", "12Q")
    self.refused("--sizes", "bench", "gelu", "-n", "-4")
    self.refused("unknown dtype", "bench", "gelu", "-d", "f99", "-n", "1Ki")
    self.refused("i32|int", "bench", "gelu", "-d", "i32", "-n", "1Ki", code=1)

  def test_selftest(self):
    text = self.tileops("selftest", "gelu", "dropout")
    lines = text.splitlines()
    self.assertRegex(lines[0], r"^ok +gelu +f16 bf16 f32 f64 e4m3fn e5m2 +max \d\.\d+ ulp$")
    self.assertIn("2 of 2 operators passed on cpu", lines[-1])
    result = json.loads(self.tileops("selftest", "eq", "--json"))
    self.assertEqual(result["failed"], 0)
    self.assertTrue(result["ops"][0]["ok"])
    self.refused("no operator", "selftest", "nothing_like_it")

  def test_selftest_of_rows(self):
    lines = self.tileops("selftest", "rows", "relu").splitlines()
    self.assertRegex("\n".join(lines), r"(?m)^ok +rows: softmax +f32 bf16 +max \d\.\d+ ulp$")
    self.assertRegex("\n".join(lines), r"(?m)^ok +rows: argmax +f32 bf16 +exact$")
    count = len([line for line in lines if "rows: " in line])
    self.assertGreater(count, 8)
    self.assertEqual(lines[-2], f"{count} of {count} texts with rows passed")
    result = json.loads(self.tileops("selftest", "rows", "--json"))
    self.assertEqual((result["ops"], result["failed"], len(result["rows"])), ([], 0, count))
    self.assertEqual({row["cases"] for row in result["rows"]}, {20})


if __name__ == "__main__":
  unittest.main(verbosity=2)
