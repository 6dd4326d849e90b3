"""Drives the tileops command with expressions: test_expr.py PATH_OF_TILEOPS. Exit code 77: skipped, no NumPy."""

import json
import os
import re
import unittest

import test_cli

np = test_cli.np

GATED = "(g, u, r = 0; scale = 1.0) -> silu(g) * u * scale + r"
ADAMW = """(p, g, m, v; lr = 1e-3, b1 = 0.9, b2 = 0.999, eps = 1e-8, wd = 0.01, t = 1) -> {
  n = lerp(m, g, 1 - b1);  # the first moment
  q = v * b2 + g * g * (1 - b2);
  p * (1 - lr * wd) - lr / (1 - b1 ** t) * n / (sqrt(q / (1 - b2 ** t)) + eps), n, q }
"""


def silu(x):
  return x / (1 + np.exp(-x.astype(np.float64)))


class ExprTest(test_cli.CliTest):

  def array(self, *shape):
    return self.rng.standard_normal(shape).astype(np.float32)

  def content(self, name):
    with open(self.path(name), "rb") as file:
      return file.read()

  def write(self, name, text):
    with open(self.path(name), "w", encoding="utf-8") as file:
      file.write(text)
    return self.path(name)


class RunExpr(ExprTest):

  def test_named_operands_and_scalars(self):
    g, u, r = self.array(4, 6), self.array(4, 6), self.array(6)
    files = {name: self.save(name + ".npy", x) for name, x in (("g", g), ("u", u), ("r", r))}
    y = self.path("y.npy")
    self.assertEqual(self.tileops("run", "--expr", GATED, "--in", f"u={files['u']}", "--in", f"g={files['g']}",
                                  "--in", f"r={files['r']}", "--scalar", "scale=0.5", "--out", f"y0={y}"), "")
    named = np.load(y)
    np.testing.assert_allclose(named, silu(g) * u * 0.5 + r, rtol=1e-6, atol=1e-6)
    # In order, and mixed: what has no name is the next one.
    for inputs in ([files["g"], files["u"], files["r"]], ["r=" + files["r"], files["g"], files["u"]]):
      self.tileops("run", "-e", GATED, *[a for i in inputs for a in ("-i", i)], "-s", "scale=0.5", "-o", y)
      np.testing.assert_array_equal(np.load(y), named)
    # Absent: left off, or a dash; then the default.
    for more in ([], ["-i", "r=-"], ["-i", "-"]):
      self.tileops("run", "-e", GATED, "-i", files["g"], "-i", files["u"], *more, "-o", y)
      np.testing.assert_allclose(np.load(y), silu(g) * u, rtol=1e-6, atol=1e-6)

  def test_one_operator_has_its_bits(self):
    x = self.array(1000)
    want = self.run_op("gelu", x, args=["-a", "approximate=tanh", "-d", "f16"])
    got = self.path("got.npy")
    self.tileops("run", "--expr", "(x) -> gelu(x, tanh)", "--in", "x=" + self.path("in0.npy"), "-d", "y0=f16", "-o", got)
    np.testing.assert_array_equal(np.load(got).view(np.uint16), want.view(np.uint16))

  def test_adamw_from_a_file(self):
    p, g, m, v = (self.array(3, 50).astype(np.float64) for _ in range(4))
    v = np.abs(v)
    text = self.write("adamw.txt", ADAMW)
    inputs = [a for name, x in (("p", p), ("g", g), ("m", m), ("v", v))
              for a in ("--in", f"{name}={self.save(name + '.npy', x)}")]
    # The results take the place of the operands they follow from, all of them or none.
    outputs = ["--out", "y0=" + self.path("p.npy"), "--out", "n=" + self.path("m.npy"), "--out",
               "q=" + self.path("v.npy")]
    self.tileops("run", "--expr", "@" + text, *inputs, *outputs, "-s", "t=3", "-s", "lr=0.1")
    n, q = m + 0.1 * (g - m), v * 0.999 + g * g * 0.001
    step = 0.1 / (1 - 0.9**3) * n / (np.sqrt(q / (1 - 0.999**3)) + 1e-8)
    np.testing.assert_allclose(np.load(self.path("m.npy")), n, rtol=1e-12)
    np.testing.assert_allclose(np.load(self.path("v.npy")), q, rtol=1e-12)
    np.testing.assert_allclose(np.load(self.path("p.npy")), p * (1 - 0.1 * 0.01) - step, rtol=1e-12, atol=1e-12)

  def test_results_without_a_file_are_not_kept(self):
    x = self.save("x.npy", self.array(7))
    self.tileops("run", "-e", "(x) -> { a = x + 1; b = x * 2; a, b }", "-i", x, "-o", "b=" + self.path("b.npy"))
    np.testing.assert_array_equal(np.load(self.path("b.npy")), np.load(x) * 2)
    self.assertEqual(sorted(os.listdir(self.folder.name)), ["b.npy", "x.npy"])

  def test_dtypes(self):
    x = self.array(100) * 3
    bits = test_cli.bf16_bits(x)
    raw = self.save("x.npy", bits.view("V2"))
    text = "(x, y) -> { s = x * y; m = x > y; cast(s, e4m3fn), s, m }"
    y = self.save("y.npy", np.ones(100, np.float32))
    out = lambda: ["-o", self.path("a.npy"), "-o", self.path("b.npy"), "-o", self.path("c.npy")]
    for inputs in (["-i", f"x={raw}:bf16"], ["-i", raw, "--input-dtype", "x=bf16"]):
      self.tileops("run", "-e", text, *inputs, "-i", "y=" + y, *out(), "-d", "s=f16")
      wide = test_cli.from_bf16(bits)
      np.testing.assert_array_equal(np.load(self.path("b.npy")), wide.astype(np.float16))
      np.testing.assert_array_equal(np.load(self.path("c.npy")), wide > 1)
      self.assertEqual(np.load(self.path("a.npy")).dtype, np.dtype("V1"))

  def test_verbose_and_stdout(self):
    x = self.save("x.npy", self.array(2, 3))
    text = self.tileops("run", "-e", "(x) -> { a = x + 1; a, x > 0 }", "-i", x, "-o", self.path("y.npy"), "-v")
    self.assertIn("shape     a (2, 3) f32, y1 (2, 3) bool\n", text)
    self.assertRegex(text, r"strategy  \w+\n")

  def test_refused_writes_nothing(self):
    x = self.save("x.npy", self.array(2, 3))
    y = self.save("y.npy", np.arange(5))
    before = self.content("y.npy")
    run = lambda *args: ("run", "-i", x, "-o", y, *args)
    # The place of what is wrong is shown, and the caret is below it.
    error = self.tileops(*run("-e", "(x) -> silu(x) * yy"), code=2)
    self.assertRegex(error, r"text: byte 17: 'yy' is not bound\n  \(x\) -> silu\(x\) \* yy\n {19}\^\n$")
    self.refused(r"scatter, which is for results alone", *run("-e", "(x) -> x - scatter(x, 1)"))
    self.refused("one of the two", *run("-e", "(x) -> x", "relu"))
    self.refused("one of the two", *run())
    self.refused(r"no operand 'z' \(it has x, w\)", *run("-e", "(x, w) -> x * w", "-i", "z=" + x))
    self.refused(r"needs --input for 'w' \(operand 1\)", *run("-e", "(x, w) -> x * w"))
    self.refused("'x' is given twice", *run("-e", "(x, w) -> x * w", "-i", "x=" + x))
    self.refused("has 1 operand, got one more", *run("-e", "(x) -> x + 1", "-i", x))
    self.refused("has 1 result, got one more", *run("-e", "(x) -> x + 1", "-o", y))
    self.refused(r"no result 'z' \(it has y0\)", *run("-e", "(x) -> x + 1", "-o", "z=" + y))
    self.refused("two outputs to one file", *run("-e", "(x) -> { x + 1, x + 2 }", "-o", y))
    self.refused(r"no scalar 'b' \(it has a\)", *run("-e", "(x; a = 1) -> x + a", "-s", "b=1"))
    self.refused("'a' is given twice", *run("-e", "(x; a = 1) -> x + a", "-s", "a=1", "-s", "a=2"))
    self.refused("need NAME=VALUE", *run("-e", "(x; a = 1) -> x + a", "-s", "1"))
    self.refused("--scalar a: not an integer", *run("-e", "(x; a = 1) -> x + a", "-s", "a=1.5"))
    self.refused("--scalar a: not a number", *run("-e", "(x; a = 1.0) -> x + a", "-s", "a=one"))
    for number in ("0x10", "010", "+1", ".5"):
      self.refused("--scalar a: not an integer", *run("-e", "(x; a = 1) -> x + a", "-s", f"a={number}"))
    for number in ("0x10", ".5", "1.", "+1.5", "infinity"):
      self.refused("--scalar a: not a number", *run("-e", "(x; a = 1.0) -> x + a", "-s", f"a={number}"))
    self.refused("--scalar a: beyond float64: 1e400", *run("-e", "(x; a = 1.0) -> x + a", "-s", "a=1e400"))
    self.refused("only expressions have scalars", *run("relu", "-s", "a=1"))
    self.refused("--attr", *run("-e", "(x) -> x + 1", "-a", "alpha=2"))
    self.refused("--shape", *run("-e", "(x) -> x + 1", "--shape", "2,3"))
    self.refused("cannot open .*none.txt", *run("-e", "@" + self.path("none.txt")), code=1)
    self.refused("cannot open .*none.npy", *run("-e", "(x, w) -> x + w", "-i", self.path("none.npy")), code=1)
    long = self.write("long.txt", "(x) -> x +" + " " * 65536 + "1")
    self.refused("more than 65536 bytes", *run("-e", "@" + long))
    # Planned only when the shapes are known.
    b = self.save("b.npy", self.array(4))
    self.refused(r"add: argument 2: .*does not broadcast", *run("-e", "(x, w) -> x + w", "-i", b), code=1)
    self.refused("'fma' is a function of expressions alone", *run("fma"))
    self.refused(r"cannot write .*Is a directory", "run", "-e", "(x) -> { x + 1, x + 2 }", "-i", x, "-o", y, "-o",
                 self.folder.name, code=1)
    self.assertEqual(before, self.content("y.npy"))
    self.assertEqual(sorted(os.listdir(self.folder.name)), ["b.npy", "long.txt", "x.npy", "y.npy"])

  def test_file_with_an_equals_sign(self):
    x = np.ones(3, np.float32)
    os.rename(self.save("a.npy", x), self.path("x=1"))
    self.tileops("run", "-e", "(x) -> -x", "-i", self.path("x=1"), "-o", self.path("y.npy"))
    np.testing.assert_array_equal(np.load(self.path("y.npy")), -x)


class Rows(ExprTest):
  """Texts with functions along axes, whose plans need memory between their passes: the command has it by itself."""

  def test_needs_a_workspace(self):
    text = "(x) -> x / sum(x) / sum(x, axis = -2)"
    self.assertIn("<- workspace 0", self.tileops("expr", text, "--shape", "20x30", "--source", "--device", "cpu"))
    x = self.array(20, 30).astype(np.float64)
    self.tileops("run", "-e", text, "-i", self.save("x.npy", x), "-o", self.path("y.npy"))
    np.testing.assert_allclose(np.load(self.path("y.npy")), x / x.sum(1, keepdims=True) / x.sum(0), rtol=1e-12)
    (row,) = json.loads(self.tileops("bench", "-e", text, "--shape", "20x30", "--seconds", "0.01", "--json"))["results"]
    self.assertGreater(row["seconds_min"], 0)

  def test_scatter(self):
    """A scattered result has the shape and the elements of what it is said to hold before."""
    text = "(k, slot) -> { cache = scatter(k, slot, axis = -2); cache }"
    k, cache = self.array(3, 5), self.array(10, 5)
    slot = np.array([[7], [0], [-1]])
    inputs = ["-i", "k=" + self.save("k.npy", k), "-i", "slot=" + self.save("slot.npy", slot)]
    before = self.save("cache.npy", cache)
    self.tileops("run", "-e", text, *inputs, "-i", "cache=" + before, "-o", self.path("y.npy"))
    want = cache.copy()
    want[[7, 0]] = k[:2]
    np.testing.assert_array_equal(np.load(self.path("y.npy")), want)
    np.testing.assert_array_equal(np.load(before), cache)
    out = ["-o", self.path("z.npy")]
    self.refused("is a scatter", "run", "-e", text, *inputs, *out, code=1)
    self.refused("'cache' is given twice", "run", "-e", text, *inputs, *["-i", "cache=" + before] * 2, *out)
    self.refused("--dtype: ", "run", "-e", text, *inputs, "-i", "cache=" + before, "-d", "cache=f16", *out)
    self.tileops("run", "-e", text, *inputs, "--shape", "cache=10,5", "-d", "cache=f32", "-o", self.path("y.npy"))
    np.testing.assert_array_equal(np.load(self.path("y.npy")), want * (np.arange(10) % 7 == 0)[:, None])
    self.refused("dtype of 'cache' does not follow", "run", "-e", text, *inputs, "--shape", "cache=10,5", *out)
    self.refused("shapes that follow", "run", "-e", text, *inputs, "--shape", "10,5", "-d", "cache=f32", *out)
    shapes = ["--shape", "k=3,5", "--shape", "slot=3,1", "-d", "slot=i64", "--shape", "cache=10,5"]
    self.assertRegex(self.tileops("expr", text, *shapes), r"results +cache +f32 \(10, 5\)")
    (row,) = json.loads(self.tileops("bench", "-e", text, *shapes, "--seconds", "0.01", "--json"))["results"]
    self.assertGreater(row["seconds_min"], 0)

  def test_scatter_add(self):
    """A histogram begins with zeros, whatever its file holds."""
    i = np.random.default_rng(1).integers(-2, 12, 1000)
    args = ["-e", "(i) -> { count = scatter_add(1, i); count }", "-i", self.save("i.npy", i), "-o", self.path("y.npy")]
    for dtype in ("i32", "u64"):
      self.tileops("run", *args, "--shape", "count=10", "-d", "count=" + dtype)
      np.testing.assert_array_equal(np.load(self.path("y.npy")), [(i == k).sum() for k in range(10)])
    self.tileops("run", *args, "-i", "count=" + self.save("before.npy", np.full(10, 7)))
    np.testing.assert_array_equal(np.load(self.path("y.npy")), [(i == k).sum() for k in range(10)])
    self.refused("adds up in int32", "run", *args, "--shape", "count=10", "-d", "count=f32", code=1)

  def test_softmaxes_and_their_gradient(self):
    """Of rows and of columns, as contrastive losses have them: what each reduces is taken by the other's pass."""
    text = """(x) -> { e = exp(x - detach(amax(x)));  f = exp(x - detach(amax(x, axis = -2)));
                       rows = e / sum(e);  columns = f / sum(f, axis = -2);  rows, columns }"""
    x, g, h = (self.array(6, 9).astype(np.float64) for _ in range(3))
    e = np.exp(x)
    rows, columns = e / e.sum(1, keepdims=True), e / e.sum(0)
    inputs = ["-i", "x=" + self.save("x.npy", x)]
    self.tileops("run", "-e", text, *inputs, "-o", "rows=" + self.path("r.npy"), "-o", "columns=" + self.path("c.npy"))
    np.testing.assert_allclose(np.load(self.path("r.npy")), rows, rtol=1e-12)
    np.testing.assert_allclose(np.load(self.path("c.npy")), columns, rtol=1e-12)
    gradient = self.tileops("expr", text, "--gradient", "x", "--text").strip()
    self.assertIn("<- workspace ", self.tileops("expr", text, "--gradient", "x", "--shape", "6x9", "--source", "--device", "cpu"))
    inputs += ["-i", "grad_rows=" + self.save("g.npy", g), "-i", "grad_columns=" + self.save("h.npy", h)]
    self.tileops("run", "-e", gradient, *inputs, "-o", self.path("gx.npy"))
    want = rows * (g - (g * rows).sum(1, keepdims=True)) + columns * (h - (h * columns).sum(0))
    np.testing.assert_allclose(np.load(self.path("gx.npy")), want, rtol=1e-10, atol=1e-14)


class Describe(ExprTest):

  def test_text(self):
    text = self.tileops("expr", "(g , u, r = 0 ;scale=1.0)->silu(g)*u*scale+r")
    self.assertEqual(text.splitlines()[0], GATED)
    self.assertEqual(self.tileops("expr", GATED, "--text"), GATED + "\n")
    for row in (r"operands +g\n", r"\n +r +optional, else 0\n", r"\nscalars +scale +float, 1\.0\n",
                r"\nresults +y0\n", r"\nfunctions +4 for each element, 0 on the host\n"):
      self.assertRegex(text, row)
    self.assertEqual(self.tileops("expr", "@" + self.write("t.txt", GATED + "  # a comment\n"), "--text"), GATED + "\n")

  def test_shapes_and_dtypes(self):
    text = self.tileops("expr", GATED, "--shape", "3x4", "--shape", "u=4", "-d", "bf16", "-d", "u=f32")
    for row in (r"\noperands +g +bf16 \(3, 4\)\n", r"\n +u +f32 \(4,\)\n", r"\nresults +y0 +f32 \(3, 4\)\n"):
      self.assertRegex(text, row)
    found = json.loads(self.tileops("expr", "(a, b; n = 2, s = 0.5) -> { c = a < b; d = s ** n * b / a; c, d }",
                                    "--shape", "a=5,1", "--shape", "b=7", "-d", "i32", "--json"))
    self.assertEqual(found["results"], [{"name": "c", "dtype": "bool", "shape": [5, 7]},
                                        {"name": "d", "dtype": "f32", "shape": [5, 7]}])
    self.assertEqual(found["scalars"], [{"name": "n", "kind": "int", "default": 2},
                                        {"name": "s", "kind": "float", "default": 0.5}])
    self.assertEqual((found["nodes"], found["host_nodes"]), (3, 1))
    (x,) = json.loads(self.tileops("expr", "(x = -inf) -> x + 1", "--json"))["operands"]
    self.assertEqual(x, {"name": "x", "default": "-inf"})

  def test_source(self):
    """On the CPU the program, which docs/expressions.md shows; of the gradient, if that is asked for."""
    lines = self.tileops("expr", "(x, y) -> exp(x) * y", "--shape", "2x3", "--shape", "y=3", "--source").splitlines()
    self.assertRegex(lines[0], r"^program: 1 tile of 2 rows of 3 elements; ")
    self.assertEqual([line.split()[1] for line in lines[1:]], ["load", "compute", "load", "compute", "store"])
    self.assertRegex(lines[2], r"s\d f32 <- exp\(s\d\) +; in f32$")
    gradient = self.tileops("expr", "(x) -> tanh(x)", "--gradient", "x", "--shape", "3", "--source", "--device", "cpu")
    self.assertIn("<- input 1 f32", gradient)
    self.assertTrue(self.tileops("expr", "(x) -> gelu(x)", "--shape", "3", "-d", "f16", "--source").startswith("direct: "))
    self.refused("--source: needs --shape", "expr", GATED, "--source")
    self.refused("excludes", "expr", GATED, "--shape", "3", "--source", "--json")
    self.refused("requires --source", "expr", GATED, "--device", "cpu")

  def test_device_function(self):
    text = "(acc, bias; scale = 1.0) -> cast(gelu(acc * scale + bias), e4m3fn)"
    if " cuda" not in re.search("backends (.*?),", self.tileops("info"))[1]:
      self.skipTest("a library without CUDA")
    usual, exact = (self.tileops("expr", text, "-d", "bias=bf16", "--device-function", "epilogue", *more) for more in ([], ["--reproducible"]))
    self.assertEqual(re.findall("(?m)^#include (.*)$", usual), ["<tileops/device/cuda.h>"])
    self.assertIn("__forceinline__ void epilogue(double s0, const float (&x0)[N], ", usual)
    self.assertIn("op::gelu<within_2_20, float>", usual)
    self.assertNotIn("within_2_20", exact)
    self.refused("name", "expr", text, "--device-function", "two words", code=1)
    self.refused("excludes", "expr", text, "--device-function", "f", "--json")
    self.refused("requires --device-function", "expr", text, "--reproducible")
    self.refused("scan", "expr", "(x) -> cumsum(x)", "--shape", "2x8", "--device-function", "f", code=1)
    self.refused("give an expression", "expr", "--source")

  def test_gradient(self):
    text = self.tileops("expr", "(x, w) -> tanh(x) * w", "--gradient", "w", "--text")
    self.assertEqual(text, "(x, w, grad_y0) -> { grad_w = sum_to(grad_y0 * tanh(x), w); grad_w }\n")
    # It is an expression that can be run.
    x, w, g = self.array(50).astype(np.float64), self.array(50).astype(np.float64), self.array(50).astype(np.float64)
    text = self.tileops("expr", "(x, w) -> tanh(x) * w", "--gradient", "x,w", "--text").strip()
    inputs = [a for name, v in (("x", x), ("w", w), ("grad_y0", g))
              for a in ("-i", f"{name}={self.save(name + '.npy', v)}")]
    self.tileops("run", "-e", text, *inputs, "-o", "grad_x=" + self.path("gx.npy"), "-o", "grad_w=" + self.path("gw.npy"))
    np.testing.assert_allclose(np.load(self.path("gx.npy")), g * w * (1 - np.tanh(x)**2), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(np.load(self.path("gw.npy")), g * np.tanh(x), rtol=1e-14)
    for name in ("z", ""):
      self.refused(f"no operand '{name}'", "expr", "(x) -> exp(x)", "--gradient", name)
    self.assertIn("grad_y = sum_to(where(true, 0.0, y), y)",
                  self.tileops("expr", "(x, y) -> exp(x) + (y > 0)", "--gradient", "y", "--text"))
    self.refused("operand 'y' is of int32, and only floats have gradients", "expr", "(x, y) -> x * y", "--gradient", "y",
                 "--shape", "3", "--dtype", "y=i32", code=1)
    self.assertIn("grad_w = sum_to(grad_y0 * x, w)", self.tileops(
        "expr", "(x, w) -> x * w", "--gradient", "w", "--text", "--shape", "4x3", "--shape", "w=3"))

  def test_errors(self):
    self.refused(r"byte 7: expected a value \(got the end of the text\)\n  \(x\) -> \n {9}\^\n$", "expr", "(x) -> ")
    self.refused("--shape: operand 'u' has none", "expr", GATED, "--shape", "g=3")
    self.refused("no operand 'q'", "expr", GATED, "--dtype", "q=f32")
    self.refused("given twice for 'g'", "expr", GATED, "--shape", "g=3", "--shape", "g=4")
    self.refused("unknown dtype", "expr", GATED, "--shape", "3", "-d", "f99")
    self.refused("excludes", "expr", GATED, "--text", "--json")
    for options in (["--text"], ["--gradient", "x"], ["--shape", "3"], ["--dtype", "f32"]):
      self.refused("give an expression", "expr", *options)
    self.refused("byte 0: expected", "expr", "")

  def test_functions(self):
    table = json.loads(self.tileops("ops", "--functions", "--json"))
    names = [f["name"] for f in table]
    for name in ("fma", "index", "extent", "dropout_mask", "chunk", "every", "concat", "interleave"):
      self.assertIn(name, names)
    self.assertNotIn("gelu", names)
    self.assertIn("mean", names)
    self.assertIn("x -> y\n\n  - i: ", self.tileops("ops", "chunk"))
    self.assertIn("x... -> y\n", self.tileops("ops", "concat"))
    self.refused("did you mean interleave", "ops", "interleav")


class Named(ExprTest):

  def test_every_one(self):
    rows = json.loads(self.tileops("expr", "--json"))
    self.assertGreater(len(rows), 30)
    listed = self.tileops("expr")
    for row in rows:
      with self.subTest(row["name"]):
        self.assertRegex(listed, rf"(?m)^{row['name']} +{re.escape(row['doc'])}\n +{re.escape(row['text'])}$")
        canonical = self.tileops("expr", row["text"], "--text")
        self.assertEqual(self.tileops("expr", row["name"], "--text"), canonical)
        self.assertEqual(self.tileops("expr", row["name"]),
                         f"{row['name']}: {row['doc']}\n" + self.tileops("expr", row["text"]))
        shown = json.loads(self.tileops("expr", row["name"], "--json"))
        self.assertEqual((shown.pop("name"), shown.pop("doc")), (row["name"], row["doc"]))
        self.assertEqual(shown, json.loads(self.tileops("expr", row["text"], "--json")))
    self.assertEqual(listed.count("\n"), 2 * len(rows))

  def test_run_and_bench(self):
    gate, up, residual = (self.array(4, 6) for _ in range(3))
    inputs = [a for name, x in (("gate", gate), ("up", up), ("residual", residual))
              for a in ("--in", f"{name}={self.save(name + '.npy', x)}")]
    self.tileops("run", "--expr", "swiglu_residual", *inputs, "--out", self.path("y.npy"))
    np.testing.assert_allclose(np.load(self.path("y.npy")), silu(gate) * up + residual, rtol=1e-6, atol=1e-6)
    (row,) = json.loads(self.tileops("bench", "-e", "softcap", "-s", "cap=20", "-n", "1Ki", "--seconds", "0.01",
                                     "--json"))["results"]
    self.assertEqual(row["expr"], "(x; cap = 30.0) -> cap * tanh(x / cap)")

  def test_shapes(self):
    """Operands that would broadcast to a wrong loss are refused, called by name or in a text."""
    for name, x, y, said in (
        ("cross_entropy", "8x16", "8", "label: extent -1 is 8, the text says 1: label[..b, 1]"),
        ("cross_entropy_mean", "8x16", "8", "label: extent -1 is 8, the text says 1: label[..b, 1]"),
        ("token_logprob", "8x16", "1x8x1", "label: its leading extents are (1, 8), the text says (8): label[..b, 1]"),
        ("mse", "4x1", "4", "target: its leading extents are (4), the text says (4, 1): target[..b]"),
        ("bce_logits", "4", "4x1", "target: its leading extents are (4, 1), the text says (4): target[..b]")):
      label = "label" if "label" in said else "target"
      types = ["--shape", f"x={x}", "--shape", f"{label}={y}"] + ["--dtype", "label=i64"] * (label == "label")
      for text in (name, f"(x, {label}) -> {name}(x, {label})"):
        self.refused(re.escape(said), "expr", text, *types, code=1)

  def test_gradient(self):
    """It is no longer what the name stands for, and has neither name nor documentation."""
    text = self.tileops("expr", "softcap", "--gradient", "x")
    self.assertTrue(text.startswith("(x, grad_y0; cap = 30.0) -> "), text)
    self.assertNotIn("name", json.loads(self.tileops("expr", "softcap", "--gradient", "x", "--json")))

  def test_errors(self):
    self.refused("tileops_expr_named: name: there is no expression 'adam'; did you mean adamw\\?", "expr", "adam")
    self.refused("'quite_another'; see `tileops expr`", "bench", "-e", "quite_another")
    self.refused("no expression 'gelu'; did you mean bias_gelu, ", "run", "-e", "gelu", "-i", "x.npy", "-o", "y.npy")
    # A name in a file is no text.
    self.refused("byte 0: expected '\\('", "expr", "@" + self.write("t.txt", "adamw"))


class Bench(ExprTest):

  def test_bench(self):
    rows = json.loads(self.tileops("bench", "-e", GATED, "-d", "f32,bf16", "-n", "1Ki,4Ki", "--threads", "1",
                                   "--seconds", "0.01", "--json"))["results"]
    self.assertEqual([(r["dtype"], r["n"], r["bytes"]) for r in rows],
                     [("f32", 1024, 12288), ("f32", 4096, 49152), ("bf16", 1024, 6144), ("bf16", 4096, 24576)])
    self.assertTrue(all(r["expr"] == GATED and r["seconds_min"] > 0 for r in rows))
    (row,) = json.loads(self.tileops("bench", "-e", ADAMW, "--shape", "16x64", "--dtype", "f32", "--dtype", "g=bf16",
                                     "--out-dtype", "y0=bf16", "-s", "t=9", "--seconds", "0.01", "--json"))["results"]
    self.assertEqual(row["operands"]["g"], {"dtype": "bf16", "shape": [16, 64]})
    self.assertEqual([(k, r["dtype"]) for k, r in row["results"].items()], [("y0", "bf16"), ("n", "f32"), ("q", "f32")])
    self.assertEqual(row["bytes"], 1024 * (4 + 2 + 4 + 4 + 2 + 4 + 4))
    (row,) = json.loads(self.tileops("bench", "-e", GATED, "--shape", "8x16", "--shape", "r=16", "--seconds", "0.01",
                                     "--json"))["results"]
    self.assertEqual((row["n"], row["operands"]["r"]["shape"]), (128, [16]))
    lines = self.tileops("bench", "-e", GATED, "-n", "1K", "--seconds", "0.01").splitlines()
    self.assertEqual(len(lines), 2)
    self.assertTrue(re.match(r"expr +f32 +1000 ", lines[1]), lines)

  def test_errors(self):
    self.refused("one of the two", "bench")
    self.refused("one of the two", "bench", "gelu", "-e", GATED)
    self.refused("every operand has a --shape", "bench", "-e", GATED, "--shape", "3x4", "-n", "1Ki")
    self.refused("is for the operands of --expr", "bench", "gelu", "--shape", "3x4")
    self.refused("only expressions have scalars", "bench", "gelu", "-s", "a=1")
    self.refused("no scalar 'b'", "bench", "-e", GATED, "-s", "b=1", "-n", "1Ki")
    self.refused("its attributes in the text", "bench", "-e", GATED, "-a", "alpha=1")
    self.refused("'uu' is not bound", "bench", "-e", "(u) -> uu")
    self.refused(r"mul: argument 2: .* does not broadcast", "bench", "-e", GATED, "--shape", "g=3", "--shape", "u=4", code=1)
    self.refused("function of expressions alone", "bench", "fma")
    self.refused("tuning is for CUDA devices", "tune", "-e", GATED, "-n", "1Ki", "--device", "cpu", code=1)


if __name__ == "__main__":
  unittest.main(verbosity=2)
