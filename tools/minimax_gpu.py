#!/usr/bin/env python3
"""Derives the polynomial coefficients of src/cuda/kernels/fast_math.h, by the method of minimax.py.

usage: tools/minimax_gpu.py        (mpmath and numpy)
"""
import minimax
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
    sine_ratio = at_zero(lambda z: mp.sin(mp.sqrt(z)) / mp.sqrt(z), 1)
    show("sine_ratio", at_zero(lambda z: (sine_ratio(z) - 1) / z, -mpf(1) / 6), 0,
         float((mp.pi / 2) ** 2) * 1.001, 4, lambda z: z / sine_ratio(z))
    # Right of 4 the tail is small against what it is taken from.
    for count in (8, 10):
        show("gelu_form", lambda t: mp.log(phi(t), 2), 0, 5.5, count,
             lambda t: mp.log(2) * (1 if t <= 4 else mpf("0.02")), fixed=[mpf(-1)])


if __name__ == "__main__":
    main()
