#!/usr/bin/env python3
"""Derives every polynomial coefficient of include/tileops/device/math/f32 and src/cpu/simd.

Needs mpmath and numpy. Run without arguments to print all constants, or with names to print some:

    python3 tools/minimax.py [name ...]

Method. `minimax` solves min over c of max |w(x) * (f(x) - sum c_k x^e_k)| on a dense grid of
Chebyshev points whose values come from mpmath at 90 digits. `fit` rounds the coefficients to the
target format one at a time, lowest power first, and refits the others after each rounding, so that
the rounding of one coefficient is absorbed by the next ones. The error printed is that of the
rounded polynomial, evaluated at 90 digits.
"""
import sys

import numpy as np
from mpmath import mp, mpf

mp.dps = 90
GRID = 500  # points on which an error curve is sampled to find its extrema


def chebyshev_points(lo, hi, n):
    return [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * k / (n - 1)) for k in range(n)]


def minimax(samples, exps, rounds=80):
    """samples: list of (x, f(x), w(x)). Returns the coefficients.

    Lawson's algorithm: least squares, reweighted by the error until the error curve is level.
    Unlike the exchange algorithm it needs no Chebyshev system, and the powers that are left after
    the first coefficients are fixed are none when 0 lies inside the interval.
    """
    x = np.array([float(s[0]) for s in samples])
    f = np.array([float(s[1] * s[2]) for s in samples])
    w = np.array([float(s[2]) for s in samples])
    scale = np.max(np.abs(x))
    basis = np.stack([w * (x / scale) ** e for e in exps], axis=1)
    weight = np.full(len(x), 1 / len(x))
    best, best_err = None, np.inf
    for _ in range(rounds):
        root = np.sqrt(weight)
        c = np.linalg.lstsq(basis * root[:, None], f * root, rcond=None)[0]
        err = np.abs(f - basis @ c)
        if err.max() < best_err:
            best, best_err = c, err.max()
        weight = weight * err
        weight /= weight.sum()
    return [mpf(float(c)) / mpf(float(scale)) ** e for c, e in zip(best, exps)]


def errors(samples, exps, coeffs):
    out = []
    for x, f, w in samples:
        p = mpf(0)
        for c, e in zip(coeffs, exps):
            p += c * x**e
        out.append(w * (f - p))
    return out


def round_to(value, bits):
    """Round to `bits` significant bits (nearest)."""
    if value == 0:
        return mpf(0)
    e = mp.floor(mp.log(abs(value), 2)) + 1 - bits
    return mp.nint(value / mpf(2) ** e) * mpf(2) ** e


def fit(f, lo, hi, exps, weight=lambda x: mpf(1), bits=24, fixed=()):
    """`fixed`: coefficients of the first exponents, taken as given."""
    lo, hi = mpf(lo), mpf(hi)
    samples = [(x, f(x), weight(x)) for x in chebyshev_points(lo, hi, GRID)]
    done = list(fixed)
    while len(done) < len(exps):
        k = len(done)
        rest = []
        for x, fx, w in samples:
            for c, e in zip(done, exps):
                fx = fx - c * x**e
            rest.append((x, fx, w))
        coeffs = minimax(rest, exps[k:])
        done.append(round_to(coeffs[0], bits))
    return done, max(abs(e) for e in errors(samples, exps, done))


def hexf(v, bits=24):
    """A C++ hexadecimal floating literal."""
    s = float(v).hex()
    mant, _, exp = s.partition("p")
    mant = mant.rstrip("0").rstrip(".") if "." in mant else mant
    return f"{mant}p{exp}" + ("f" if bits == 24 else "")


def show(name, note, coeffs, err, bits=24):
    print(f"{name}: {note}; max error 2^{float(mp.log(err, 2)):.2f}")
    for c in coeffs:
        print(f"    {hexf(c, bits)}  // {float(c):.10g}")


def split(name, value, sizes, bits=24):
    """value as a sum of floats with the given numbers of significant bits."""
    print(f"{name}:")
    rest = value
    for size in sizes:
        c = round_to(rest, size)
        print(f"    {hexf(c, bits)}  // {float(c):.10g}")
        rest -= c
    print(f"    // remainder {float(rest):.3g}")


def cell_edges(start, to_octave):
    """Those of 16 cells from `start` on that exponent and first bits of the mantissa tell, so many to an octave."""
    edges = [start]
    while len(edges) < 17:
        width = mpf(2) ** mp.floor(mp.log(edges[-1], 2)) / to_octave
        edges.append((mp.floor(edges[-1] / width) + 1) * width)
    return edges


def fit_cells(f, edges, first, middle, steps):
    """Rows of center and seven coefficients. first(hi) gives that of the cell from 0 on and its error; the center of
    another is the float within `steps` places of middle(lo, hi) whose f is nearest to a float."""
    rows = []
    for lo, hi in zip(edges, edges[1:]):
        if lo == 0:
            row, err = first(hi * 1.0001)
        else:
            c = near_float(f, middle(lo, hi), steps)
            around = lambda d: f(d + c)
            coeffs, err = fit(around, lo - c, hi - c, range(7), lambda d: 1 / around(d),
                              fixed=[round_to(f(c), 24)])
            row = [c] + coeffs
        rows.append(row)
        print(f"    {lo:.3f} to {hi:.3f}: relative error 2^{float(mp.log(err, 2)):.2f}")
    return rows


def show_cells(rows, first, scale=1):
    """`first`: the entry of the first cell."""
    rows = [rows[(k - first) % 16] for k in range(16)]
    show_table("center", [r[0] for r in rows])
    for k in range(7):
        show_table(f"c{k}", [r[k + 1] * scale for r in rows])


LN2 = mp.log(2)
ONE = mpf(1)


def run_exp():
    f = lambda r: (mp.exp(r) - 1 - r) / r**2 if r else mpf(1) / 2
    h = LN2 / 2 * mpf("1.0001")
    show("exp", "exp(r) = 1 + r + r^2 q(r), |r| <= ln2/2; absolute",
         *fit(f, -h, h, range(5), lambda r: r**2))
    split("ln2", LN2, [15, 24])
    split("log2e", 1 / LN2, [24, 24])


def run_expm1():
    f = lambda r: (mp.exp(r) - 1 - r) / r**2 if r else mpf(1) / 2
    h = LN2 / 2 * mpf("1.0001")
    show("expm1", "exp(r) = 1 + r + r^2 q(r), |r| <= ln2/2; relative to expm1",
         *fit(f, -h, h, range(6), lambda r: r))


def run_exp2():
    f = lambda r: (mp.mpf(2) ** r - 1) / r if r else LN2
    show("exp2", "2^r = 1 + r q(r), |r| <= 1/2; absolute",
         *fit(f, mpf("-0.5"), mpf("0.5"), range(6), lambda r: r))


def run_softplus():
    f = lambda e: (mp.log1p(e) / e - 1) / e if e > mpf(10) ** -30 else -mpf(1) / 2
    g = lambda w: f(w + mpf(1) / 2)
    show("softplus", "log1p(e) = e + e^2 Q(e - 1/2), 0 <= e <= 1; relative",
         *fit(g, -mpf(1) / 2, mpf(1) / 2, range(9),
              lambda w: (w + mpf(1) / 2) / (1 + (w + mpf(1) / 2) * g(w))))


def log_q(f):
    return (mp.log1p(f) - f) / f**2 if abs(f) > mpf(10) ** -15 else -mpf(1) / 2 + f / 3


def run_log():  # log2, log1p
    lo, hi = mp.sqrt(mpf(1) / 2) - 1 - mpf(2) ** -20, mp.sqrt(mpf(2)) - 1 + mpf(2) ** -20
    for n in (9,):
        show(f"log{n}", "log(1+f) = f + f^2 q(f), sqrt(1/2) <= 1+f <= sqrt(2); relative",
             *fit(log_q, lo, hi, range(n),
                  lambda f: f**2 / mp.log1p(f) if f else mpf(0)))


def near_float(f, x, steps):
    """The float within `steps` places of x whose f is nearest to a float, relative; and that float."""
    unit = mpf(2) ** (mp.floor(mp.log(x, 2)) - 23)
    candidates = [(mp.nint(x / unit) + k) * unit for k in range(-steps, steps + 1)]
    return min(candidates, key=lambda c: abs(round_to(f(c), 24) / f(c) - 1))


def show_table(name, values):
    print(f"{name}:")
    for k in range(0, 16, 4):
        print("    " + ", ".join(hexf(v) if v else "0.0f" for v in values[k:k + 4]) + ",")


def run_log_around_1():
    global GRID
    GRID, mp.dps = 300, 60
    show("log_around_1", "log(1+f) = f + f^2 q(f), -1/4 <= f <= 1/2; relative",
         *fit(log_q, mpf(-1) / 4, mpf(1) / 2, range(9), lambda f: f**2 / abs(mp.log1p(f)) if f else mpf(0)))
    GRID, mp.dps = 500, 90


def run_pow():
    """Per cell of 1/16 of an octave around 1 the reciprocal of so few bits that m times it is exact less 1."""
    cells = [(1 + k / 16, 1 + (k + 1) / 16) if k < 8 else ((1 + k / 16) / 2, (1 + (k + 1) / 16) / 2) for k in range(16)]
    reciprocals, least, most = [], 0, 0
    for k, (lo, hi) in enumerate(cells):
        unit = 32 if k < 8 else 16
        reach = lambda r: max(abs(lo * r - 1), abs(hi * r - 1))
        r = 1 if k in (0, 15) else min((n / unit for n in range(unit // 2, 2 * unit)), key=reach)
        assert reach(r) <= 1 / 16
        reciprocals.append(mpf(r))
        least, most = min(least, lo * r - 1), max(most, hi * r - 1)
    logarithms = [-mp.log(r, 2) for r in reciprocals]
    heads = [mp.nint(v * 2**16) / 2**16 for v in logarithms]
    show_table("reciprocal", reciprocals)
    show_table("logarithm", heads)
    show_table("logarithm_lo", [round_to(v - h, 24) for v, h in zip(logarithms, heads)])
    f = lambda x: (mp.log1p(x) - x + x**2 / 2) / x**3 if abs(x) > mpf(10) ** -20 else mpf(1) / 3
    show("pow", f"log(1+f) = f - f^2/2 + f^3 q(f), {least:.4f} <= f <= {most:.4f}; relative",
         *fit(f, least, most, range(5), lambda x: x**3 / mp.log1p(x) if x else mpf(0)))


def run_tanh():
    global GRID
    GRID, mp.dps = 140, 40
    scale = round_to(mpf("1.66"), 24)
    edges = [float((e - 1) / scale) for e in cell_edges(mpf(1), 4)]

    def first(hi):
        f = lambda d: mp.tanh(d) / d - 1 if d else mpf(0)  # no first power: 0 for a tiny d
        coeffs, err = fit(f, 0, hi, range(2, 6), lambda d: 1 / (1 + f(d)))
        return [mpf(0)] * 4 + coeffs, err

    # Where tanh is flat, the next float is far away from the middle.
    middle = lambda lo, hi: mp.atanh(round_to(mp.tanh((lo + hi) / 2), 24))
    show_cells(fit_cells(mp.tanh, edges, first, middle, 3000), 12)  # by the bits of 1.66 x + 1
    GRID, mp.dps = 500, 90


def run_trig():
    h = (mp.pi / 4 * mpf("1.00002")) ** 2
    s = lambda z: ((mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z) if z > mpf(10) ** -20 else -ONE / 6
    show("sin", "sin r = r + r^3 S(r^2), |r| <= pi/4; relative",
         *fit(s, 0, h, range(3), lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)) if z else mpf(0)))
    c = lambda z: ((mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2) if z > mpf(10) ** -12 else ONE / 24
    show("cos", "cos r = 1 - r^2/2 + r^4 C(r^2), |r| <= pi/4; absolute",
         *fit(c, 0, h, range(3), lambda z: z**2))
    split("pi/2", mp.pi / 2, [24, 24, 24])
    split("2pi", 2 * mp.pi, [24, 24, 24])
    print(f"    2/pi {hexf(round_to(2 / mp.pi, 24))}")
    bits = int(mp.floor(mp.ldexp(1 / (2 * mp.pi), 256)))
    words = [(bits >> (32 * k)) & 0xFFFFFFFF for k in range(8)]
    print("1/(2pi) * 2^256, 32-bit words, most significant first:")
    print("    " + ", ".join(f"0x{w:08x}u" for w in reversed(words)))


ERF_SPLIT = mpf("0.85")


def run_erf():
    at_0 = 2 / mp.sqrt(mp.pi) - 1
    p = lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1 if z > mpf(10) ** -30 else at_0
    show("erf_small", "erf(x) = x + x P(x^2), |x| <= 0.85; relative",
         *fit(p, 0, ERF_SPLIT**2, range(6), lambda z: 1 / (1 + p(z))))
    # erf(x) = 1 - exp(R(x)); an error d in R costs erfc(x) * d / erf(x).
    r = lambda x: mp.log(mp.erfc(x))
    for n in (8,):
        show(f"erf_large{n}", "log erfc(x) = R(x), 0.85 <= x <= 4; weighted by erfc/erf",
             *fit(r, ERF_SPLIT, 4, range(n), lambda x: mp.erfc(x) / mp.erf(x)))


def run_approx_gelu():  # src/cpu/simd/approx_gelu.h
    global GRID
    GRID, mp.dps = 140, 40
    width = mpf(15) / 16
    logarithm = lambda t: mp.log(mp.erfc(t / mp.sqrt(2)) / 2, 2)
    rows = []
    for k in range(16):
        middle = k * width
        coeffs, err = fit(lambda d: logarithm(middle + d), -width / 2 if k else 0, width / 2, range(4))
        print(f"    around {float(middle):.4f}: error 2^{float(mp.log(err, 2)):.2f}")
        rows.append(coeffs)
    for k in range(4):
        show_table(f"c{k}", [r[k] for r in rows])
    show("2^r", "0 <= r <= 1", *fit(lambda r: mpf(2) ** r, 0, 1, range(5)))
    GRID, mp.dps = 500, 90


def rational(x, f, m, n, rounds=300):
    """Coefficients of P / Q of degrees m and n, Q(0) = 1, with the least relative error: Lawson's algorithm on P - f Q,
    weighted by the Q before."""
    top = x.max()
    u, weight, q = x / top, np.full(len(x), 1 / len(x)), np.ones(len(x))
    best, best_err = None, np.inf
    for _ in range(rounds):
        row = np.sqrt(weight) / f / np.abs(q)
        columns = [u**i for i in range(m + 1)] + [-f * u**i for i in range(1, n + 1)]
        basis = np.stack(columns, axis=1) * row[:, None]
        scale = np.sqrt((basis**2).sum(0))
        c = np.linalg.lstsq(basis / scale, f * row, rcond=1e-16)[0] / scale
        q = 1 + sum(c[m + i] * u**i for i in range(1, n + 1))
        err = np.abs(sum(c[i] * u**i for i in range(m + 1)) / q / f - 1)
        if err.max() < best_err:
            best, best_err = c, err.max()
        weight = weight * (err + 1e-30)
        weight /= weight.sum()
    powers = list(range(m + 1)) + list(range(1, n + 1))
    best = [float(np.float32(c / top**e)) for c, e in zip(best, powers)]
    p, q = best[:m + 1], [1.0] + best[m + 1:]
    value = sum(c * x**i for i, c in enumerate(p)) / sum(c * x**i for i, c in enumerate(q))
    return p, q, np.abs(value / f - 1).max()


def run_inner():  # src/cpu/simd/inner.h
    points = 500
    h = float(LN2) / 2 * 1.0001
    expm1_over = lambda rate: lambda r: mp.expm1(rate * r) / r if r else rate
    relative = lambda rate: lambda r: r * mp.exp(-rate * r)
    show("exp", "exp(r) = 1 + r q(r), |r| <= ln2/2; relative", *fit(expm1_over(ONE), -h, h, range(5), relative(ONE)))
    turn = mpf(45426) / 2**15  # the number of 16 bits nearest to 2 ln2
    rate = LN2 / turn
    half = turn / 2 * mpf("1.0001")
    show("exp_turn", "exp(rate r) = 1 + r q(r), |r| <= turn / 2; relative",
         *fit(expm1_over(rate), -half, half, range(5), relative(rate)))
    x = 9.02 * np.sin(np.pi / 2 * np.arange(1, points + 1) / points)
    t = 13.7 / 2 - 13.7 / 2 * np.cos(np.pi * np.arange(points) / (points - 1))
    tail = np.array([float(mp.erfc(mpf(v) / mp.sqrt(2)) / 2 * mp.exp(rate * mpf(v) ** 2)) for v in t])
    for name, p, q, err in (("tanh(x) / x of x^2", *rational(x * x, np.tanh(x) / x, 3, 4)),
                            ("Phi(-t) exp(rate t^2), P to be scaled by 2^64", *rational(t, tail, 4, 4))):
        print(f"{name}: P / Q, error 2^{np.log2(err):.2f}")
        print("    P " + " ".join(hexf(c) for c in p) + "\n    Q " + " ".join(hexf(c) for c in q))


def odd_part(f, first=ONE):
    """(f(sqrt(z)) / sqrt(z) - first) / z, for an odd function that begins with first x."""
    def inner(z):
        with mp.workdps(2 * mp.dps):
            r = mp.sqrt(z) if z > mpf(10) ** -40 else mpf(10) ** -20
            return (f(r) / r - first) / r**2
    return inner


def odd_weight(f):
    """Of odd_part: relative to f."""
    return lambda z: z * mp.sqrt(z) / f(mp.sqrt(z)) if z else mpf(0)


def show_odd(name, text, f, top, n, first=ONE):
    show(name, text, *fit(odd_part(f, first), 0, mpf(top), range(n), odd_weight(f)))


def run_hyperbolic():
    show_odd("sinh", "sinh x = x + x^3 S(x^2), |x| <= 1; relative", mp.sinh, "1.0001", 4)
    c = lambda z: (mp.cosh(mp.sqrt(z)) - 1) / z if z > mpf(10) ** -12 else ONE / 2
    show("cosh", "cosh r = 1 + r^2 C(r^2), |r| <= ln2/2; absolute", *fit(c, 0, (LN2 / 2 * mpf("1.001")) ** 2, range(3), lambda z: z))
    f = lambda x: x - mp.tanh(x)
    show("tanhshrink", "x - tanh x = x^3 T(x^2), |x| <= 1, the first coefficient 1/3; relative",
         *fit(odd_part(f, 0), 0, "1.0001", range(9), odd_weight(f), fixed=[ONE / 3]))


def run_log_terms():
    def f(x):
        with mp.workdps(2 * mp.dps):
            return (mp.log1p(x) - x + x**2 / 2) / x**3 if abs(x) > mpf(10) ** -30 else mpf(1) / 3
    for n in (8, 9):
        show(f"log_terms{n}", "log(1+f) = f - f^2/2 + f^3 q(f), -1/4 <= f <= 1/2; relative",
             *fit(f, mpf(-1) / 4, mpf(1) / 2, range(n), lambda x: x**3 / mp.log1p(x) if x else mpf(0)))
    split("log10(2)", mp.log10(2), [13, 24])
    split("log10(e)", mp.log10(mp.e), [24, 24])
    split("1/ln 2", 1 / LN2, [24, 24])


def run_inverse_trig():
    show_odd("tan", "tan r = r + r^3 T(r^2), |r| <= pi/4; relative", mp.tan, (mp.pi / 4 * mpf("1.00002")) ** 2, 8)
    show_odd("asin", "asin x = x + x^3 A(x^2), |x| <= 1/2; relative", mp.asin, "0.25001", 6)
    show_odd("atan", "atan x = x + x^3 A(x^2), |x| <= 1; relative", mp.atan, "1.0001", 10)
    split("pi/2", mp.pi / 2, [24, 24])
    split("pi", mp.pi, [24, 24])


def run_cbrt():
    show("cbrt", "m^(-1/3), 1 <= m <= 2; relative", *fit(lambda m: mp.cbrt(1 / m), 1, 2, range(5), lambda m: mp.cbrt(m)))
    split("2^(1/3)", mp.cbrt(2), [24])
    split("2^(-1/3)", 1 / mp.cbrt(2), [24])
    split("2^(-2/3)", mp.cbrt(2) ** -2, [24])


def run_sinc():
    f = lambda z: mp.sinpi(mp.sqrt(z)) / mp.sqrt(z) / mp.pi if z > 0 else ONE
    q = lambda z: (f(z) - 1) / z if z > mpf(10) ** -30 else -mp.pi**2 / 6
    show("sinc", "sin(pi r) / (pi r) = 1 + r^2 Q(r^2), |r| <= 1/2; relative", *fit(q, 0, "0.25001", range(6), lambda z: z / f(z)))


def run_erfc():
    x = lambda q: 3 * (1 + q) / (1 - q)
    f = lambda q: (1 + 2 * x(q)) * mp.exp(x(q) ** 2) * mp.erfc(x(q))
    at = lambda v: (mpf(v) - 3) / (mpf(v) + 3)
    for n in (11, 12):
        show(f"erfc{n}", "(1+2x) e^(x^2) erfc(x) = 1.1875 + p(q), q = (x-3)/(x+3), 0.64 <= x <= 10.1; relative",
             *fit(lambda q: f(q) - mpf("1.1875"), at("0.64"), at("10.1"), range(n), lambda q: 1 / f(q)))


def run_erfinv():
    global GRID
    GRID, mp.dps = 160, 40
    of = lambda w: mp.sqrt(-mp.expm1(-w))  # x, where w = -log(1 - x^2)

    def ratio(w):
        x = of(w)
        return mp.erfinv(x) / x if x > mpf(10) ** -12 else mp.sqrt(mp.pi) / 2
    show("erfinv_near", "erfinv(x) = x P(w), w = -log(1 - x^2) <= 5.5, the first coefficient sqrt(pi) / 2; relative",
         *fit(ratio, 0, "5.5", range(11), lambda w: 1 / ratio(w), fixed=[mp.sqrt(mp.pi) / 2]))

    def tail(s):
        w = s * s
        with mp.workdps(60):
            d = mp.exp(-w)  # 1 - x^2
            q = d / (1 + mp.sqrt(1 - d))  # 1 - x = erfc(y)
            y = mp.sqrt(w)
            for _ in range(60):
                step = (mp.erfc(y) - q) / (2 / mp.sqrt(mp.pi) * mp.exp(-y * y))
                y += step
                if abs(step) < mpf(10) ** -45:
                    break
            return y / mp.sqrt(1 - d)
    for n, top, middle in ((10, "16.7", 3), (12, "37", 4)):
        show(f"erfinv_far{n}", f"erfinv(x) = x Q(sqrt(w) - {middle}), 5.5 <= w <= {top}; relative",
             *fit(lambda u: tail(u + middle), mp.sqrt(mpf("5.5")) - middle, mp.sqrt(mpf(top)) - middle, range(n),
                  lambda u: 1 / tail(u + middle)))
    GRID, mp.dps = 500, 90


TABLE = {k[4:]: v for k, v in list(globals().items()) if k.startswith("run_")}

if __name__ == "__main__":
    for name in sys.argv[1:] or TABLE:
        TABLE[name]()
