#!/usr/bin/env python3
"""Derives the polynomial coefficients of src/cuda/kernels/fast_math.h and quick_math.h, by the method of minimax.py.

usage: tools/minimax_gpu.py        (mpmath and numpy)
"""
import minimax
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
    show("table_free::moderate_power", at_zero(
        lambda z: (mp.log((2 + mp.sqrt(z)) / (2 - mp.sqrt(z))) / mp.sqrt(z) - 1) / z, mpf(1) / 12), 0, widest, 3,
         lambda z: z)
    sine_ratio = at_zero(lambda z: mp.sin(mp.sqrt(z)) / mp.sqrt(z), 1)
    show("sine_ratio", at_zero(lambda z: (sine_ratio(z) - 1) / z, -mpf(1) / 6), 0,
         float((mp.pi / 2) ** 2) * 1.001, 4, lambda z: z / sine_ratio(z))
    for hi in (6.5, 14):
        show_quotient(f"mills up to {hi}", lambda t: phi(t) * mp.exp(t * t / 2), hi, 3)


if __name__ == "__main__":
    main()
