#!/usr/bin/env python3
"""Derives every polynomial coefficient of include/tileops/device/math/f32*.h.

Needs mpmath only. Run without arguments to print all constants, or with names to print some:

    python3 tools/minimax.py [name ...]

Method. `remez` solves min over c of max |w(x) * (f(x) - sum c_k x^e_k)| with the exchange
algorithm in 50-digit arithmetic. `fit` then rounds the coefficients to the target format one at a
time, lowest power first, and refits the others after each rounding, so that the rounding of one
coefficient is absorbed by the next ones. The error printed is that of the rounded polynomial.
"""
import sys

from mpmath import mp, mpf

mp.dps = 50
GRID = 600  # points on which an error curve is sampled to find its extrema


def chebyshev_points(lo, hi, n):
    return [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * k / (n - 1)) for k in range(n)]


def remez(samples, exps, rounds=12):
    """samples: list of (x, f(x), w(x)), x ascending. Returns (coefficients, max weighted error)."""
    n = len(exps)
    # The first reference: n+1 samples spread like Chebyshev extrema.
    ref = [round((len(samples) - 1) * k / n) for k in range(n + 1)]
    coeffs = None
    for _ in range(rounds):
        a = mp.matrix(n + 1, n + 1)
        b = mp.matrix(n + 1, 1)
        for i, s in enumerate(ref):
            x, f, w = samples[s]
            for j, e in enumerate(exps):
                a[i, j] = w * x**e
            a[i, n] = (-1) ** i
            b[i] = w * f
        sol = mp.lu_solve(a, b)
        coeffs = [sol[j] for j in range(n)]
        err = errors(samples, exps, coeffs)
        # One extremum for every run of equal sign.
        runs = []
        for s, e in enumerate(err):
            if runs and (e >= 0) == (err[runs[-1]] >= 0):
                if abs(e) > abs(err[runs[-1]]):
                    runs[-1] = s
            else:
                runs.append(s)
        while len(runs) > n + 1:  # drop the weakest end
            runs.pop(0 if abs(err[runs[0]]) < abs(err[runs[-1]]) else -1)
        if len(runs) < n + 1 or runs == ref:
            break
        ref = runs
    return coeffs, max(abs(e) for e in errors(samples, exps, coeffs))


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
        coeffs, _ = remez(rest, exps[k:])
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
         *fit(f, -h, h, range(5), lambda r: r))


def run_exp2():
    f = lambda r: (mp.mpf(2) ** r - 1) / r if r else LN2
    show("exp2", "2^r = 1 + r q(r), |r| <= 1/2; absolute",
         *fit(f, mpf("-0.5"), mpf("0.5"), range(6), lambda r: r))


def log_q(f):
    return (mp.log1p(f) - f) / f**2 if abs(f) > mpf(10) ** -15 else -mpf(1) / 2 + f / 3


def run_log():
    lo, hi = mp.sqrt(mpf(0.5)) - 1 - mpf(2) ** -20, mp.sqrt(mpf(2)) - 1 + mpf(2) ** -20
    for n in (8, 9):
        show(f"log{n}", "log(1+f) = f + f^2 q(f), sqrt(1/2) <= 1+f <= sqrt(2); relative",
             *fit(log_q, lo, hi, range(n),
                  lambda f: f**2 / mp.log1p(f) if f else mpf(0)))


def run_log2d():
    lo, hi = mp.sqrt(mpf(0.5)) - 1 - mpf(2) ** -20, mp.sqrt(mpf(2)) - 1 + mpf(2) ** -20
    f = lambda x: mp.log1p(x) / x / LN2 if x else 1 / LN2
    for n in (12, 13):
        show(f"log2d{n}", "log2(1+f) = f q(f) in double; relative",
             *fit(f, lo, hi, range(n), lambda x: 1 / f(x), bits=53), bits=53)


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
    bits = int(mp.floor(mp.ldexp(1 / (2 * mp.pi), 224)))
    words = [(bits >> (32 * k)) & 0xFFFFFFFF for k in range(7)]
    print("1/(2pi) * 2^224, 32-bit words, most significant first:")
    print("    " + ", ".join(f"0x{w:08x}u" for w in reversed(words)))


ERF_SPLIT = mpf("1.0")


def run_erf():
    p = lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1 if z > mpf(10) ** -30 else 2 / mp.sqrt(mp.pi) - 1
    show("erf_small", "erf(x) = x + x P(x^2), |x| <= 1; relative",
         *fit(p, 0, ERF_SPLIT**2, range(7), lambda z: 1 / (1 + p(z))))
    # erf(x) = 1 - exp(R(x)); an error d in R costs erfc(x) * d / erf(x).
    r = lambda x: mp.log(mp.erfc(x))
    for n in (8, 9):
        show(f"erf_large{n}", "log erfc(x) = R(x), 1 <= x <= 4; weighted by erfc/erf",
             *fit(r, ERF_SPLIT, 4, range(n), lambda x: mp.erfc(x) / mp.erf(x)))


GELU_A = mpf("2.5")


def run_gelu():
    # g(t) = exp(t^2/2) Phi(-t) with u = 1/(t + A) moved to the middle of its range.
    def g(t):
        return mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2)) / 2
    tmax = mpf("14.6")
    for a in (mpf(2), mpf("2.5"), mpf(3), mpf(4)):
        for n in (9, 10, 11):
            # w = (t - a)/(t + a) = 1 - 2a u in [-1, (tmax-a)/(tmax+a)]
            h = lambda w: g(a * (1 + w) / (1 - w))
            show(f"gelu a={a} n={n}", "g = poly(w), w = (t-a)/(t+a); relative",
                 *fit(h, -1, (tmax - a) / (tmax + a), range(n), lambda w: 1 / h(w)))


TABLE = {k[4:]: v for k, v in list(globals().items()) if k.startswith("run_")}

if __name__ == "__main__":
    for name in sys.argv[1:] or TABLE:
        TABLE[name]()
