"""Random texts with reductions, on random shapes and dtypes: the cases of the random benchmark and of the gate of kernels
(tests/gate). Nothing is tuned by name here, and no text is met twice: a seed, which a report prints, says them all.

A text is one to three reductions of something, with up to two functions of elements before and after each, on operands that
broadcast, are gathered or selected. Shapes have two to four dimensions, extents are log-uniform with the awkward ones among
them, and the largest operand has `least` to `most` bytes. Operands are kept where functions are well-conditioned, so that
two libraries can be compared: what is selected is compared with numbers that all dtypes hold, and extremes are gathered as
values, of which equal ones are equal."""

import dataclasses
import hashlib
import math
import random

SIZES = {"u8": 1, "bool": 1, "i64": 8, "bf16": 2, "f16": 2, "f32": 4, "f64": 8}
DTYPES = ["bf16"] * 4 + ["f32"] * 3 + ["f16"] * 2 + ["u8"] * 2 + ["bool", "i64"]
FLOATS = ["bf16", "bf16", "f32", "f32", "f16"]
AWKWARD = [1, 3, 4, 7, 50257]
MiB = 1 << 20


@dataclasses.dataclass
class Operand:
    name: str
    dtype: str
    shape: tuple
    below: int = 0  # an index: what it stays below

    @property
    def bytes(self):
        return SIZES[self.dtype] * math.prod(self.shape)


@dataclasses.dataclass
class Case:
    name: str
    text: str
    operands: list

    @property
    def operand_text(self):
        return ", ".join(f"{o.name} {o.dtype} {'x'.join(map(str, o.shape))}" for o in self.operands)

    def __str__(self):
        return f"{self.name}: {self.text} of {self.operand_text}"


def seed_of(commit):
    """A number of a commit's name, or of any other text."""
    return int.from_bytes(hashlib.sha256(commit.encode()).digest()[:6], "big")


def shape_of(rng, elements, rank):
    """Extents of about so many elements, in any order."""
    extents = []
    left = elements
    for _ in range(rank - 1):
        n = rng.choice(AWKWARD) if rng.random() < 0.35 else int(math.exp(rng.uniform(0, math.log(max(left, 2)))))
        n = max(1, min(n, left))
        extents.append(n)
        left //= n
    extents.append(max(1, left))
    rng.shuffle(extents)
    return tuple(extents)


class Maker:
    UNARY = ["tanh(#)", "sigmoid(#)", "silu(#)", "gelu(#)", "exp(-abs(#))", "# * #", "abs(#)", "sqrt(abs(#) + 1.0)",
             "rsqrt(# * # + 1.0)", "maximum(#, 0.0)", "0.5 * # + 1.0"]
    BINARY = ["# + @", "# - @", "# * @", "# * (1.0 + @)", "where(@ > 0.0, #, 0.25 * #)"]
    REDUCTIONS = ["sum", "sum", "mean", "mean", "mean", "var", "amax", "amin", "logsumexp", "largest", "cumsum"]
    JOINS = ["# - @", "# * rsqrt(@ * @ + 1.0)", "# / (abs(@) + 1.0)", "# + @"]

    def __init__(self, rng, least, most):
        self.rng, self.least, self.most = rng, least, most
        self.operands, self.lines, self.count = [], [], 0

    def add(self, text):
        self.count += 1
        name = f"v{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def elements_of(self, value, most):
        for _ in range(self.rng.randrange(most + 1)):
            if self.operands[-1].name == "y" and self.rng.random() < 0.4:
                form = self.rng.choice(self.BINARY).replace("@", "y")
            else:
                form = self.rng.choice(self.UNARY)
            value = self.add(form.replace("#", value))
        return value

    def axes(self, shape):
        """Some axes of a shape, as the text has them."""
        rank = len(shape)
        if self.rng.random() < 0.1:
            return ", axis = all", list(range(rank))
        chosen = [-1] if self.rng.random() < 0.4 else sorted(
            self.rng.sample(range(-rank, 0), self.rng.choice([1, 1, 1, 2]) if rank > 1 else 1))
        listed = str(chosen[0]) if len(chosen) == 1 else "(" + ", ".join(map(str, chosen)) + ")"
        return ", axis = " + listed, [rank + a for a in chosen]

    def reduced(self, value, shape):
        """(value, its shape) of a reduction or scan."""
        name = self.rng.choice(self.REDUCTIONS)
        if name in ("largest", "cumsum"):
            axis = self.rng.choice([-1, -1, -min(2, len(shape))])
            if name == "cumsum":
                return self.add(f"cumsum({value}, axis = {axis}) * 0.0625"), shape
            after = tuple(1 if d == len(shape) + axis else n for d, n in enumerate(shape))
            return self.add(f"gather({value}, argmax({value}, axis = {axis}), axis = {axis})"), after
        axes, taken = self.axes(shape)
        after = tuple(1 if d in taken else n for d, n in enumerate(shape))
        if name == "var" and math.prod(shape[d] for d in taken) > 1 and self.rng.random() < 0.5:
            return self.add(f"var({value}{axes}, correction = 1)"), after
        return self.add(f"{name}({value}{axes})"), after

    def first_value(self):
        """The largest operand, or rows that are gathered from it; as floats unless a reduction takes it as it is."""
        rng = self.rng
        dtype = rng.choice(DTYPES)
        size = math.exp(rng.uniform(math.log(self.least), math.log(self.most)))
        elements = max(2, int(size / SIZES[dtype]))
        shape = shape_of(rng, elements, rng.choice([2, 2, 3, 3, 4]))
        if rng.random() < 0.12 and shape[-1] * len(shape) > 3:
            rows, columns = math.prod(shape[:-1]), shape[-1]
            table = max(2, int(rows * rng.uniform(0.1, 1)))
            self.operands = [Operand("t", dtype, (table, columns)), Operand("i", "i64", (rows, 1), below=table)]
            value, shape = self.add("gather(t, i, axis = -2)"), (rows, columns)
        else:
            self.operands, value = [Operand("x", dtype, shape)], "x"
            if rng.random() < 0.5:
                kept = tuple(n if rng.random() < 0.6 else 1 for n in shape)
                kept = kept[rng.randrange(len(kept)):] if rng.random() < 0.4 else kept
                self.operands.append(Operand("y", rng.choice(FLOATS), kept))
        if dtype in FLOATS or (len(self.operands) == 1 and dtype != "bool" and rng.random() < 0.4):
            return value, shape, dtype
        whole = {"u8": f"{value} / 255", "bool": f"where({value}, 1.5, -0.5)", "i64": f"cast({value}, f32) * 0.125"}
        return self.add(whole[dtype]), shape, "f32"

    def make(self, name):
        rng = self.rng
        value, shape, dtype = self.first_value()
        if dtype in FLOATS and self.operands[0].name == "x":
            value = self.elements_of(value, 2)
        if self.operands[-1].name == "y" and "y" not in words(" ".join(self.lines)) and dtype in FLOATS:
            value = self.add(rng.choice(self.BINARY).replace("#", value).replace("@", "y"))
        results = []
        for k in range(rng.choice([1, 1, 1, 2, 2, 3])):
            found, after = self.reduced(value, shape)
            if rng.random() < 0.5 or dtype not in FLOATS:
                results.append(found)
            if dtype not in FLOATS:  # of integers as they are nothing else is made
                break
            if rng.random() < (0.6 if k == 0 else 0.4):
                value = self.add(rng.choice(self.JOINS).replace("#", value).replace("@", found))
                value = self.elements_of(value, 1)
                results = [r for r in results if r != found or rng.random() < 0.5]
            else:
                value, shape = self.elements_of(found, 1), after
        if value not in results and (dtype in FLOATS or not results):
            results.append(value)
        results = results[-2:]
        told = ", ".join(f"cast({r}, {rng.choice(FLOATS)})" if rng.random() < 0.4 and dtype in FLOATS else f"({r})"
                         for r in results)
        used = [o for o in self.operands if any(o.name in words(line) for line in self.lines)]
        text = f"({', '.join(o.name for o in used)}) -> {{ {'; '.join(self.lines)}; {told} }}"
        return Case(name, text, used)


def words(line):
    return set("".join(c if c.isalnum() or c == "_" else " " for c in line).split())


def cases(seed, count, least=8 * MiB, most=256 * MiB):
    """So many cases of a seed; the k-th one is the same whatever the count is."""
    for k in range(count):
        yield Maker(random.Random(f"{seed}/{k}"), least, most).make(f"r{k:03d}")


if __name__ == "__main__":
    import sys

    for case in cases(seed_of(sys.argv[1]), int(sys.argv[2])):
        print(case)
