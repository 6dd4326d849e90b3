"""What kernels are held to: enough thread blocks, wide accesses, few instructions an element, no local memory, little text for the
compiler, and no bytes moved that need not be. A rule gives a finding where a kernel breaks it."""

import dataclasses

MULTIPROCESSORS, BLOCK_BYTES, ENOUGH = 132, 32 << 10, 0.75
LEAST_ACCESS, LARGE, LARGE_PART = 8, 1 << 20, 1 / 8  # of views with so many bytes, and that part of all that a pass moves
MOST_PTX = 3000
MOST_BYTES = 1.3
SLACK = 1.5
# Instructions an element of the library's exact forms, as they were counted in sm_90's machine code (others: COMMON); of what a
# thread does once a kernel and once a reduction; and of a load or store with its conversion.
COST = {"sum low": 7, "sum_wide low": 9, "sum_high": 7, "sum_low": 2, "sum_pair": 7, "squares_pair": 9, "sum": 1, "sum_of_pairs": 9, "sum_of_pairs_wide": 11, "variance": 12,
        "argmax": 12, "argmin": 12, "first": 1, "convert": 2, "div": 16, "exp": 20, "tanh": 24, "sigmoid": 30, "silu": 30, "gelu": 45, "log": 25,
        "sqrt": 10, "rsqrt": 10}
COMMON, SCAN, ACCESS = 2, 12, 5
ONCE, ONCE_A_STAGE = 150, 250


@dataclasses.dataclass
class Finding:
    case: object
    rule: str
    number: int  # of the pass, -1: the whole case
    part: dict  # the pass
    value: float
    bound: float
    view: dict = None
    passes: list = None  # of the case

    @property
    def times(self):
        """How much worse than allowed."""
        if self.rule in ("blocks", "access"):
            return self.bound / self.value
        return self.value / max(self.bound, 1)

    def __str__(self):
        where = f"pass {self.number}" if self.number >= 0 else "all passes"
        return f"{self.case.name}, {where}: {self.rule} {self.value:.4g}, bound {self.bound:.4g}"


def moved(part):
    """Bytes that a pass reads and writes."""
    loads = [v for v in part["views"] if not v["store"]]
    readings = part["readings"] or [1] * len(loads)
    read = sum(v["bytes"] * n for v, n in zip(loads, readings) if v["kind"] != "none")
    return read + sum(v["bytes"] for v in part["views"] if v["store"])


def cost(part):
    """Instructions an element that the steps, loads and stores should take."""
    steps = sum(SCAN if s.startswith("scan") else COST.get(s, COMMON) for s in part["steps"])
    return steps + ACCESS * sum(v["kind"] != "none" for v in part["views"])


def of_pass(case, number, part):
    def finding(rule, value, bound, view=None):
        return Finding(case, rule, number, part, value, bound, view)

    work = moved(part)
    need = min(MULTIPROCESSORS, work // BLOCK_BYTES)
    if part["blocks"] < ENOUGH * need and work >= LARGE:
        yield finding("blocks", part["blocks"], need)
    for v in part["views"]:
        large = v["bytes"] >= max(LARGE, LARGE_PART * work) and v["kind"] != "none"
        if large and v["in_one_piece"] and not v["gathered"] and v["access"] < LEAST_ACCESS:
            yield finding("access", v["access"], LEAST_ACCESS, v)
            break
    if work < LARGE:  # what is tiny takes as long as a launch
        return
    compiled = part["compiled"]
    allowed = SLACK * cost(part) + (ONCE + ONCE_A_STAGE * (part["stages"] - 1)) / part["turn"]
    if compiled.instructions / part["turn"] > allowed:
        yield finding("instructions", compiled.instructions / part["turn"], allowed)
    if compiled.local_bytes:
        yield finding("local", compiled.local_bytes, 0)
    if compiled.ptx_lines > MOST_PTX:
        yield finding("ptx", compiled.ptx_lines, MOST_PTX)


def needed(passes):
    """Bytes of operands and results, each once."""
    views = {}
    for part in passes:
        for v in part["views"]:
            if v["kind"] == "operand":
                key = v["store"], v["slot"]
                views[key] = max(views.get(key, 0), v["bytes"])
    return sum(views.values())


def findings(case, passes):
    found = [f for number, part in enumerate(passes) for f in of_pass(case, number, part)]
    total, least = sum(map(moved, passes)), needed(passes)
    if total > MOST_BYTES * least and total > LARGE:
        found.append(Finding(case, "bytes", -1, passes[0], total / least, MOST_BYTES))
    for f in found:
        f.passes = passes
    return found
