"""What docs/expressions.md and docs/rows.md show is so: test_document.py PATH_OF_TILEOPS.

Blocks of code that are marked hold texts, separated by empty lines, or one a line:
  tileops          each is parsed, planned and executed, on operands that the options behind the mark describe
  tileops-same     all of a block are one expression
  tileops-text     each is parsed: not all devices execute it yet
  tileops-refused  each is refused; what its comment says is in the message
  tileops-worked   one is executed: below it, a line each, its operands (NAME or NAME:DTYPE, and values; f32), then "->" and its
                   results, to the digits that are shown
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

try:
  import numpy as np
except ImportError:
  sys.exit(77)

TILEOPS = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = "\n".join((ROOT / "docs" / name).read_text() for name in ("expressions.md", "rows.md"))
DTYPES = {"f32": np.float32, "i32": np.int32, "i64": np.int64}
BLOCK = re.compile(r"^```(tileops[\w-]*)([^\n]*)\n(.*?)^```$", re.M | re.S)


def tileops(*args, code=0):
  done = subprocess.run([TILEOPS, *args], capture_output=True, text=True, timeout=100, check=False)
  assert done.returncode == code, f"{args}\n{done.stdout}{done.stderr}"
  return done.stderr if code else done.stdout


def blocks(mark):
  """Options and body of each block of a mark."""
  found = [(shlex.split(options), body) for name, options, body in BLOCK.findall(DOCUMENT) if name == mark]
  assert found, f"no block {mark}"
  return found


def executed(text, options):
  shapes = options if "--shape" in options else [*options, "--shape", "4x6"]
  return json.loads(tileops("bench", "--expr", text, *shapes, "--seconds", "0.001", "--threads", "1", "--json"))


def digits(text):
  """Nested lists of a line's numbers, as they are written."""
  return json.loads(re.sub(r"[-+.\w]+", lambda m: f'"{m[0]}"', text))


def shown(values, like):
  """Values with as many decimals as their place in `like` has."""
  if isinstance(like, list):
    return [shown(v, l) for v, l in zip(values, like)] if len(values) == len(like) else values
  return f"{values:.{len(like.partition('.')[2])}f}"


class Document(unittest.TestCase):

  def test_texts(self):
    for options, body in blocks("tileops"):
      for text in re.split(r"\n\n+", body.strip()):
        with self.subTest(text):
          (row,) = executed(text, options)["results"]
          self.assertEqual(tileops("expr", row["expr"], "--text").strip(), row["expr"], "canonical")

  def test_worked(self):
    self.assertGreaterEqual(len(blocks("tileops-worked")), 3)
    for _, body in blocks("tileops-worked"):
      text, lines = body.strip().split("\n\n")
      given, results = ([line.split(None, 1) for line in part.strip().splitlines()] for part in lines.split("->"))
      self.assertTrue(given and results)
      with self.subTest(text), tempfile.TemporaryDirectory() as folder:
        options = []
        for name, values in given:
          name, _, dtype = name.partition(":")
          np.save(f"{folder}/{name}.npy", np.array(json.loads(values), DTYPES[dtype or "f32"]))
          options += ["--in", f"{name}={folder}/{name}.npy"]
        for name, _ in results:
          options += ["--out", f"{name}={folder}/{name}.npy"]
        tileops("run", "--expr", text, *options)
        info = json.loads(tileops("expr", text, "--json"))
        self.assertEqual([name for name, _ in results], [r["name"] for r in info["results"]], "all results are shown")
        for name, values in results:
          self.assertEqual(shown(np.load(f"{folder}/{name}.npy").tolist(), digits(values)), digits(values), name)

  def test_same(self):
    for options, body in blocks("tileops-same"):
      texts = body.strip().splitlines()
      self.assertGreater(len(texts), 1)
      self.assertEqual(len({tileops("expr", text, "--text") for text in texts}), 1, texts)
      executed(texts[0], options)

  def test_parsed(self):
    for _, body in blocks("tileops-text"):
      for text in re.split(r"\n\n+", body.strip()):
        canonical = tileops("expr", text, "--text").strip()
        self.assertEqual(tileops("expr", canonical, "--text").strip(), canonical)

  def test_refused(self):
    for _, body in blocks("tileops-refused"):
      for line in body.strip().splitlines():
        text, message = (part.strip() for part in line.split("#"))
        with self.subTest(text):
          error = tileops("expr", text, code=2)
          self.assertIn(message, error)
          self.assertRegex(error, r"text: byte \d+: .*\n.*\n *\^\n$")

  def test_every_block_is_known(self):
    self.assertLessEqual({name for name, _, _ in BLOCK.findall(DOCUMENT)},
                         {"tileops", "tileops-same", "tileops-text", "tileops-refused", "tileops-worked"})

  def test_sessions(self):
    sessions = re.findall(r"^    \$ tileops (.*)\n((?:    [^$\n].*\n|\n(?=    [^$]))*)", DOCUMENT, re.M)
    self.assertTrue(sessions)
    for command, printed in sessions:
      self.assertEqual(tileops(*shlex.split(command)), re.sub(r"^    ", "", printed, flags=re.M))

  def test_functions(self):
    """The table has every function that only expressions have."""
    table = DOCUMENT[DOCUMENT.index("<!-- functions -->"):DOCUMENT.index("<!-- end -->")]
    shown = re.findall(r"`(\w+)\(", table)
    self.assertEqual(sorted(shown), sorted(f["name"] for f in json.loads(tileops("ops", "--functions", "--json"))))

  def test_promotion(self):
    """The table of labels."""
    table = re.search(r"^\| operands of `\+` \| label \|\n\|---\|---\|\n((?:\|.*\n)+)", DOCUMENT, re.M)[1]
    for operands, label in re.findall(r"^\| (.*) \| (\w+) \|$", table, re.M):
      a, b = operands.split(", ")
      options = ["--shape", "a=3", "--dtype", f"a={a}"]
      if re.match(r"\d", b):
        text = f"(a) -> a + {b}"
      else:
        text, zero_dim = "(a, b) -> a + b", b.startswith("a 0-d ")
        options += ["--shape", "b=" if zero_dim else "b=3", "--dtype", f"b={b.split()[-1]}"]
      (result,) = json.loads(tileops("expr", text, *options, "--json"))["results"]
      self.assertEqual(result["dtype"], label, operands)

  def test_limits(self):
    header = (ROOT / "include/tileops/tileops.h").read_text()
    limit = lambda name: int(re.search(rf"#define TILEOPS_MAX_EXPR_{name} (\d+)", header)[1])
    paragraph = " ".join(re.search(r"^## Limits\n\n(.*?)\n\n", DOCUMENT, re.M | re.S)[1].split())
    for words in (f"{limit('BYTES') // 1024} KiB", f"{limit('NODES')} functions", f"{limit('INPUTS')} operands",
                  f"{limit('OUTPUTS')} results", f"{limit('SCALARS')} scalars"):
      self.assertIn(words, paragraph)


if __name__ == "__main__":
  unittest.main(verbosity=2)
