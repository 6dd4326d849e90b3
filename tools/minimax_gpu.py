#!/usr/bin/env python3
"""Derives the polynomial coefficients of include/tileops/device/cuda/math (fast_math.h, bounded_math.h, bounded_trig.h, bounded_pow.h), those of
float32 by the method of minimax.py, and those of float64, also of bounded_math64.h and bounded_log_erf64.h, by minimax_f64.py's.

usage: tools/minimax_gpu.py        (mpmath and numpy)
"""
import minimax
import minimax_f64
import numpy as np
from mpmath import mp, mpf

mp.dps = 40
minimax.GRID = 200


def show(name, f, lo, hi, count, weight, fixed=()):
    """The polynomial of `count` coefficients, the first of them as given; its error as a power of two."""
    powers = list(range(count))
    found = minimax.fit(f, lo, hi, powers, weight, fixed=fixed)
    coefficients = found[0] if isinstance(found, tuple) else found
    samples = [(x, f(x), weight(x)) for x in minimax.chebyshev_points(mpf(lo), mpf(hi), minimax.GRID)]
    error = max(abs(e) for e in minimax.errors(samples, powers, coefficients))
    print(f"{name}: error 2^{float(mp.log(error, 2)):.2f}, lowest power first\n  "
          + " ".join(float(c).hex() for c in coefficients))


def show_quotient(name, f, hi, degree, rounds=400):
    """P / Q for 0 <= t <= hi, Q one degree more and 1 at 0: Lawson's weights on the linearised relative error,
    divided by the Q of the round before."""
    t = np.array([float(x) for x in minimax.chebyshev_points(mpf(0), mpf(hi), minimax.GRID)])
    y = np.array([float(f(mpf(float(x)))) for x in t])
    q, weight, least = np.ones_like(t), np.full(len(t), 1 / len(t)), np.inf
    powers = [t**k for k in range(degree + 2)]
    for _ in range(rounds):
        basis = np.stack([p / y for p in powers[:-1]] + [-p for p in powers[1:]], axis=1) / q[:, None]
        root = np.sqrt(weight)
        c = np.linalg.lstsq(basis * root[:, None], root / q, rcond=None)[0].astype(np.float32).astype(float)
        above = sum(a * p for a, p in zip(c[:degree + 1], powers))
        q = 1 + sum(a * p for a, p in zip(c[degree + 1:], powers[1:]))
        error = np.abs(above / q / y - 1)
        if error.max() < least:
            least, best = error.max(), c
        weight = weight * (error + 1e-3 * error.max())
        weight /= weight.sum()
    print(f"{name}: error 2^{np.log2(least):.2f}, P then Q, lowest power first\n  "
          + " ".join(np.float32(a).item().hex() for a in best))


def show_f64(name, f, weight, lo, hi, degree, short):
    """The polynomial of that degree in doubles, of which the highest `short` coefficients have the 21 bits that an
    instruction holds. Those are rounded first, one after the other; the lower ones make up for it."""
    high = {}

    def rest(x):
        return f(x) - sum(c * x**k for k, c in high.items())
    for k in range(degree, degree - short, -1):
        high[k] = minimax.round_to(minimax_f64.remez(rest, weight, lo, hi, k)[-1], 21)
    coefficients = minimax_f64.rounded_fit(rest, weight, lo, hi, degree - short, 3) + [high[k] for k in sorted(high)]
    points = [lo + (hi - lo) * (i + mpf(1) / 2) / 700 for i in range(700)]
    error = max(abs(weight(x) * (f(x) - minimax_f64.horner(coefficients, x))) for x in points)
    print(f"{name}: error 2^{float(mp.log(error, 2)):.2f}, lowest power first\n  "
          + " ".join(float(c).hex() for c in coefficients))


def show_mills_f64(c, hi, count, rounds=25, points=160):
    """2 Phi(-t) exp(t^2/2) = P / Q for 0 <= t <= hi, where t P = A = t + t^2/2 M and Q = 1 + c A + t N, M of `count`
    coefficients and N of one less: weights as in show_quotient, the normal equations in 60 digits."""
    with mp.workdps(60):
        q = [-1 + (1 + (hi - 5) / (hi + 5)) * (1 - mp.cos(mp.pi * (i + mpf(1) / 2) / points)) / 2 for i in range(points)]
        t = [5 * (1 + x) / (1 - x) for x in q]
        y = [2 * phi(x) * mp.exp(x * x / 2) for x in t]
        # y Q - P: one column for each coefficient p of P, with what c A has of it, and for each n of N.
        columns = [[x**j * (1 - v * c * x) for x, v in zip(t, y)] for j in range(1, count + 1)]
        columns += [[-v * x**j for x, v in zip(t, y)] for j in range(1, count)]
        target = [v * (1 + c * x) - 1 for x, v in zip(t, y)]
        below, weight, least = [mpf(1)] * points, [mpf(1) / points] * points, mp.inf
        for _ in range(rounds):
            scale = [w / (b * v)**2 for w, b, v in zip(weight, below, y)]
            scaled = [[a * s for a, s in zip(column, scale)] for column in columns]
            normal = mp.matrix([[mp.fdot(a, b) for b in columns] for a in scaled])
            found = list(mp.lu_solve(normal, mp.matrix([mp.fdot(a, target) for a in scaled])))
            above = [1 + sum(p * x**(j + 1) for j, p in enumerate(found[:count])) for x in t]
            below = [1 + c * x * a + sum(n * x**(j + 1) for j, n in enumerate(found[count:]))
                     for x, a in zip(t, above)]
            error = [abs(a / b / v - 1) for a, b, v in zip(above, below, y)]
            if max(error) < least:
                least, best = max(error), found
            weight = [w * (e + max(error) / 1000) for w, e in zip(weight, error)]
            weight = [w / sum(weight) for w in weight]
    print(f"gelu in f64: error 2^{float(mp.log(least, 2)):.2f}, M then N, lowest power first\n  "
          + " ".join(float(2 * a).hex() for a in best[:count]) + "\n  "
          + " ".join(float(a).hex() for a in best[count:]))


def at_zero(f, value):
    return lambda x: f(x) if x != 0 else mpf(value)


def phi(t):
    return mp.erfc(t / mp.sqrt(2)) / 2


def main():
    expm1 = at_zero(lambda x: (mp.expm1(x) - x) / x**2, 0.5)
    relative = at_zero(lambda x: x**2 / mp.expm1(x), 0)
    show("expm1_form_q", expm1, -0.34, 0.34, 4, relative)
    show("expm1_left", expm1, -0.34, 0, 4, relative)
    show("log_near", at_zero(lambda f: (mp.log1p(f) - f) / f**2, -0.5), -0.2, 0.2, 5,
         at_zero(lambda f: f**2 / mp.log1p(f), 0))
    ratio = at_zero(lambda e: mp.log1p(e) / e, 1)
    show("log1p_ratio", ratio, 0, 1, 8, lambda e: 1 / ratio(e))
    erf_ratio = at_zero(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z), 2 / mp.sqrt(mp.pi))
    show("erf_form, near", lambda z: erf_ratio(z) - 1, 0, 0.7225, 5, lambda z: 1 / erf_ratio(z))
    show("erf_form, far", lambda t: mp.log(mp.erfc(t), 2), 0.85, 4, 5,
         lambda t: mp.erfc(t) * mp.log(2) / mp.erf(t))
    tanh_ratio = at_zero(lambda z: mp.tanh(mp.sqrt(z)) / mp.sqrt(z), 1)
    show("tanh_form", at_zero(lambda z: (tanh_ratio(z) - 1) / z, -mpf(1) / 3), 0, 0.16, 3,
         lambda z: z / tanh_ratio(z))
    show("table_free::tanh, below 0.6", at_zero(lambda z: (tanh_ratio(z) - 1) / z, -mpf(1) / 3), 0, 0.36, 5,
         lambda z: z / tanh_ratio(z))
    half = float(mp.log(2) / 4 * 1.001)
    show("table_free::tanh, (exp(2h) - 1 - 2h) / 2h^2", at_zero(lambda h: (mp.expm1(2 * h) - 2 * h) / (2 * h * h), 1),
         -half, half, 5, lambda h: 2 * h * h)
    show("table_free::softplus", at_zero(lambda e: (mp.log1p(e) - e) / e**2, -0.5), 0, 1, 9,
         at_zero(lambda e: e * e / mp.log1p(e), 1e-6))
    widest = float((2 * (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * 1.001)
    show("moderate_power", at_zero(
        lambda z: (mp.log((2 + mp.sqrt(z)) / (2 - mp.sqrt(z))) / mp.sqrt(z) - 1) / z, mpf(1) / 12), 0, widest, 3,
         lambda z: z)
    sine_ratio = at_zero(lambda z: mp.sin(mp.sqrt(z)) / mp.sqrt(z), 1)
    show("sine_ratio", at_zero(lambda z: (sine_ratio(z) - 1) / z, -mpf(1) / 6), 0,
         float((mp.pi / 2) ** 2) * 1.001, 4, lambda z: z / sine_ratio(z))
    quarter = float((mp.pi / 4) ** 2) * 1.003
    show("table_free::sine, S", at_zero(lambda z: (sine_ratio(z) - 1) / z, -mpf(1) / 6), 0, quarter, 3,
         lambda z: z / sine_ratio(z))
    show("table_free::sine, C", at_zero(lambda z: (mp.cos(mp.sqrt(z)) - 1) / z, -mpf(1) / 2), 0, quarter, 4,
         lambda z: z / mp.cos(mp.sqrt(z)), fixed=(mpf(-1) / 2,))
    for hi in (6.5, 14):
        show_quotient(f"mills up to {hi}", lambda t: phi(t) * mp.exp(t * t / 2), hi, 3)
    show_quotient("to_20_bits::mills", lambda t: phi(t) * mpf(2)**(t * t * mpf(float.fromhex("0x1.715476p-1"))), 14.5, 4, 2000)
    with mp.workprec(220):
        main_f64()


def main_f64():
    wide, near_zero = minimax_f64.wide, mpf(2)**-60
    minimax_f64.split("ln2", mp.log(2), 21, 53)
    minimax_f64.split("2 sqrt(2/pi)", 2 * mp.sqrt(2 / mp.pi), 40, 53)
    # kShortLog2e is off by 2^-22, so that |r| passes ln2 / 2 by a thousandth where |x| is 1000.
    half = mp.log(2) / 2 * mpf("1.0025")
    show_f64("expm1_tail", wide(lambda r: (mp.expm1(r) - r) / r**2), lambda r: r**2 / mp.exp(r), -half,
             half * mpf("1.001"), 9, 3)

    def atanh_ratio(z):  # log((1 + s) / (1 - s)) / s
        s = mp.sqrt(z)
        return (mp.log1p(s) - mp.log1p(-s)) / s
    show_f64("softplus in f64", wide(lambda z: (atanh_ratio(z / 4) / 2 - 1) / z), lambda z: 2 * z / atanh_ratio(z / 4),
             near_zero, mpf(4) / 9 * mpf("1.0001"), 9, 3)
    s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
    show_f64("log_mantissa", wide(lambda z: (atanh_ratio(z) - 2) / z), lambda z: z / 2, near_zero, s * s * mpf("1.0001"),
             6, 2)
    erf_ratio = wide(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z))
    show_f64("erf in f64, near", lambda z: erf_ratio(z) - 1, lambda z: 1 / erf_ratio(z), near_zero,
             mpf("0.64") * mpf("1.001"), 10, 3)
    show_f64("erf in f64, far", wide(lambda x: mp.log(mp.erfc(x))), lambda x: mp.erfc(x) / mp.erf(x), mpf("0.8"),
             mpf("5.95"), 19, 6)

    show_mills_f64(mpf(float(mp.sqrt(mp.pi / 2))), mpf("38.7"), 10)

    quarter = (mp.pi / 4)**2 * mpf("1.0001")
    sine_ratio = wide(lambda z: mp.sin(mp.sqrt(z)) / mp.sqrt(z))
    show_f64("sine64, -S", wide(lambda z: (1 - sine_ratio(z)) / z), lambda z: z / sine_ratio(z), near_zero, quarter, 6, 3)
    show_f64("sine64, C + 1/2", wide(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2),
             lambda z: z**2 / mp.cos(mp.sqrt(z)), near_zero, quarter, 5, 2)
    minimax_f64.split("pi/2", mp.pi / 2, 33, 33, 53)
    widest = (2 * (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1))**2 * mpf("1.0001")
    show_f64("moderate_power in f64, log", wide(lambda z: (atanh_ratio(z / 4) / 2 - 1) / z),
             lambda z: 2 * z / atanh_ratio(z / 4), near_zero, widest, 7, 3)
    show_f64("moderate_power in f64, exp2", wide(lambda r: (mpf(2)**r - 1) / r), lambda r: r / mpf(2)**r, mpf("-0.5003"),
             mpf("0.5005"), 11, 4)


if __name__ == "__main__":
    main()
