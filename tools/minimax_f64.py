#!/usr/bin/env python3
"""Derives every polynomial and constant of include/tileops/device/math/f64.

    tools/minimax_f64.py            prints all groups
    tools/minimax_f64.py log sin    prints the named groups only

A polynomial is fitted with the Remez exchange to g(u) on [a, b] so that the largest
|w(u) * (g(u) - p(u))| is least; w turns the error of p into the relative error of the function
that uses it. The coefficients are then rounded to double, the lowest ones in turn: each time one is
rounded the rest is fitted again, which absorbs most of its rounding error. The error is measured
again with the rounded coefficients on a grid of 1500 points; that number is the one the headers
quote. It does not contain the rounding errors of the evaluation in double:
tests/accuracy/f64_sample.cc measures those.

Needs only mpmath.
"""
import sys
from mpmath import mp, mpf

mp.prec = 220


def chebyshev_nodes(a, b, n):
    return [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * (i + mpf(1) / 2) / n) for i in range(n)]


def horner(c, u):
    s = mpf(0)
    for x in reversed(c):
        s = s * u + x
    return s


def remez(g, w, a, b, degree, rounds=12):
    """Returns the coefficients (low to high) of the weighted minimax polynomial."""
    a, b = mpf(a), mpf(b)
    n = degree + 2
    grid = [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * i / (40 * n)) for i in range(40 * n + 1)]
    values = [(u, g(u), w(u)) for u in grid]
    nodes = [(u, g(u), w(u)) for u in
             [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * (i + mpf(1) / 2) / n) for i in range(n)]]
    best = None
    for _ in range(rounds):
        m = mp.matrix(n, n)
        rhs = mp.matrix(n, 1)
        for i, (u, gu, wu) in enumerate(nodes):
            p = mpf(1)
            for j in range(degree + 1):
                m[i, j] = p
                p *= u
            m[i, degree + 1] = (-1) ** i / wu
            rhs[i] = gu
        x = mp.lu_solve(m, rhs)
        c = [x[j] for j in range(degree + 1)]
        err = [(wu * (gu - horner(c, u)), (u, gu, wu)) for u, gu, wu in values]
        worst = max(abs(e) for e, _ in err)
        if best is None or worst < best[0]:
            best = (worst, c)
        if worst < abs(x[degree + 1]) * mpf('1.01'):
            break
        # One extremum per run of equal sign; drop the smaller end while there are too many.
        runs = []
        for e, node in err:
            if runs and (runs[-1][0] > 0) == (e > 0):
                if abs(e) > abs(runs[-1][0]):
                    runs[-1] = (e, node)
            else:
                runs.append((e, node))
        while len(runs) > n:
            if len(runs) == n + 1:
                runs.pop(0 if abs(runs[0][0]) < abs(runs[-1][0]) else -1)
            else:
                i = min(range(len(runs) - 1),
                        key=lambda i: max(abs(runs[i][0]), abs(runs[i + 1][0])))
                del runs[i:i + 2]
        if len(runs) < n:
            break
        nodes = [node for _, node in runs]
    return best[1]


def hexf(x):
    return float(x).hex()


def rounded_fit(g, w, a, b, degree, in_turn):
    """Minimax coefficients as doubles; the first `in_turn` are rounded one after the other."""
    c = remez(g, w, a, b, degree)
    if in_turn == 0 or degree == 0:
        return [mpf(float(x)) for x in c]
    first = mpf(float(c[0]))
    return [first] + rounded_fit(lambda u: (g(u) - first) / u, lambda u: w(u) * abs(u), a, b,
                                 degree - 1, in_turn - 1)


def report(name, g, w, a, b, degree, note, in_turn=3):
    c = rounded_fit(g, w, a, b, degree, in_turn)
    a, b = mpf(a), mpf(b)
    worst = max(abs(w(u) * (g(u) - horner(c, u)))
                for u in [a + (b - a) * (i + mpf(1) / 2) / 1500 for i in range(1500)])
    print('// %s: %s; degree %d, max error 2^%.1f' % (name, note, degree,
                                                      float(mp.log(worst, 2))))
    for i, x in enumerate(c):
        print('//   [%d] %-26s (%.17g)' % (i, hexf(x), float(x)))
    sys.stdout.flush()


def split(name, x, *bits):
    """x as a sum of doubles; the first ones keep only the given number of leading bits."""
    rest, parts = mpf(x), []
    for k in bits:
        e = int(mp.floor(mp.log(abs(rest), 2)))
        q = mp.nint(rest * mpf(2) ** (k - 1 - e)) * mpf(2) ** (e - k + 1)
        parts.append(q)
        rest -= q
    print('// %s = %s' % (name, ' + '.join(hexf(p) for p in parts)))


def wide(f):
    """Evaluates f with twice the digits: the quotients below cancel near 0."""
    def inner(u):
        with mp.workprec(600):
            return f(mpf(u))
    return inner


def group_exp():
    h = mp.log(2) / 2 * mpf('1.0001')
    report('exp_tail', wide(lambda r: (mp.expm1(r) - r - r * r / 2) / r**3),
           lambda r: r**3 / mp.expm1(r), -h, h * mpf("1.001"), 9,
           '(e^r - 1 - r - r^2/2) / r^3 on |r| <= ln2/2, error relative to expm1(r)')


def group_log():
    s = (mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)
    top = s * s * mpf('1.0001')

    def ratio(z):  # log(1+f) / s with s = f/(2+f), z = s*s
        s = mp.sqrt(z)
        return (mp.log1p(s) - mp.log1p(-s)) / s
    report('log_tail', wide(lambda z: (ratio(z) - 2) / z), lambda z: z / ratio(z), mpf(2)**-60, top,
           6, '(log(1+f) - 2s) / s^3 in z = s^2, s = f/(2+f), error relative to log(1+f)')
    report('log_dd_tail', wide(lambda z: (ratio(z) / 2 - 1 - z / 3 - z * z / 5) / z**3),
           lambda z: 2 * z**3 / ratio(z), mpf(2)**-60, top, 7,
           '(atanh(s)/s - 1 - z/3 - z^2/5) / z^3, error relative to log(1+f)')


def group_sin():
    top = (mp.pi / 4)**2 * mpf('1.0001')
    report('sin_tail', wide(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
           lambda z: z * mp.sqrt(z) / mp.sin(mp.sqrt(z)), mpf(2)**-60, top, 6,
           '(sin(r) - r) / r^3 in z = r^2, error relative to sin(r)')
    report('cos_tail', wide(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2),
           lambda z: z**2 / mp.cos(mp.sqrt(z)), mpf(2)**-60, top, 6,
           '(cos(r) - 1 + r^2/2) / r^4 in z = r^2, error relative to cos(r)')


# erf(x) = x + x * polynomial up to 0.8, 1 - erfc beyond, where erfc < 0.26 adds little error.
# erfc(x) = 1 - erf(x) up to 0.65 only: it falls to 0.36 there, and the error of erf grows with x.
ERF_SPLIT = mpf('0.8')
ERFCX_LOW = mpf('0.64')  # a little overlap
ERFCX_HIGH = mpf('27.3')
ERFCX_K = mpf(3)
ERFCX_BASE = mpf('1.1875')


def group_erf():
    report('erf_tail', wide(lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1),
           lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)), mpf(2)**-60, ERF_SPLIT**2 * mpf('1.001'), 10,
           'erf(x)/x - 1 in z = x^2 for |x| <= 0.8, error relative to erf(x)')


def erfcx_scaled(q):
    x = ERFCX_K * (1 + q) / (1 - q)
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def group_erfc(degree=21):
    lo = (ERFCX_LOW - ERFCX_K) / (ERFCX_LOW + ERFCX_K)
    hi = (ERFCX_HIGH - ERFCX_K) / (ERFCX_HIGH + ERFCX_K)
    report('erfcx_tail', wide(lambda q: erfcx_scaled(q) - ERFCX_BASE),
           lambda q: 1 / erfcx_scaled(q), lo, hi, degree,
           '(1+2x) e^(x^2) erfc(x) - 1.1875 in q = (x-%s)/(x+%s), x in [0.64, 27.3], '
           'error relative to erfc(x)' % (mp.nstr(ERFCX_K, 4), mp.nstr(ERFCX_K, 4)), in_turn=6)


def odd(name, f, top, degree, note, first=1, low=mpf(2)**-60):
    """An odd function that begins with first x, as that and x^3 times a polynomial in z = x^2."""
    report(name, wide(lambda z: (f(mp.sqrt(z)) / mp.sqrt(z) - first) / z),
           lambda z: z * mp.sqrt(z) / f(mp.sqrt(z)), low, mpf(top), degree, note + ', error relative to it')


def group_hyperbolic():
    odd('sinh', mp.sinh, '1.0001', 7, '(sinh(x) - x) / x^3 in z = x^2, |x| <= 1')
    report('cosh', wide(lambda z: (mp.cosh(mp.sqrt(z)) - 1) / z), lambda z: z, mpf(2)**-60, (mp.log(2) / 2)**2 * mpf('1.001'), 6,
           '(cosh(r) - 1) / r^2 in z = r^2, |r| <= ln2/2, absolute error')
    report('tanhshrink', wide(lambda z: ((1 - mp.tanh(mp.sqrt(z)) / mp.sqrt(z)) / z - mpf(1) / 3) / z),
           lambda z: z / ((1 - mp.tanh(mp.sqrt(z)) / mp.sqrt(z)) / z), mpf(2)**-60, mpf('1.0001'), 15,
           '((x - tanh(x)) / x^3 - 1/3) / x^2 in z = x^2, |x| <= 1, error relative to x - tanh(x)')


def group_inverse_trig():
    odd('tan', mp.tan, (mp.pi / 4)**2 * mpf('1.0001'), 14, '(tan(r) - r) / r^3 in z = r^2, |r| <= pi/4')
    odd('asin', mp.asin, '0.25001', 13, '(asin(x) - x) / x^3 in z = x^2, |x| <= 1/2')
    odd('atan', mp.atan, '1.0001', 21, '(atan(x) - x) / x^3 in z = x^2, |x| <= 1')


def group_cbrt():
    report('cbrt', lambda m: mp.cbrt(1 / m), lambda m: mp.cbrt(m), 1, 2, 4, 'm^(-1/3), 1 <= m <= 2, relative error')
    split('2^(1/3)', mp.cbrt(2), 53)


def group_sinc():
    f = wide(lambda z: mp.sinpi(mp.sqrt(z)) / mp.sqrt(z) / mp.pi)
    report('sinc', wide(lambda z: (mp.sinpi(mp.sqrt(z)) / mp.sqrt(z) / mp.pi - 1) / z), lambda z: z / f(z), mpf(2)**-60, mpf('0.25001'), 10,
           '(sin(pi r) / (pi r) - 1) / r^2 in z = r^2, |r| <= 1/2, relative error')


def lgamma_ratio(u):
    """lgamma(2 + u) / (u (1 + u))."""
    u = mpf(u) if abs(u) > mpf(2)**-60 else mpf(2)**-60
    return mp.loggamma(2 + u) / (u * (1 + u))


def stirling_rest(z):
    """(lgamma(x) - (x - 1/2) log x + x - log(2 pi) / 2) x, z = 1 / x^2."""
    x = 1 / mp.sqrt(z)
    return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def group_lgamma():
    for degree in (9, 20):
        report('lgamma', wide(lgamma_ratio), lambda u: 1 / lgamma_ratio(u), mpf('-0.5'), mpf('0.5003'), degree,
               'lgamma(2 + u) / (u (1 + u)), |u| <= 1/2, relative error')
    for degree in (5, 6, 12, 16):
        report('stirling', wide(stirling_rest), lambda z: mp.sqrt(z), mpf(2)**-40, mpf(1) / mpf('2.5')**2, degree,
               'x (lgamma(x) - (x - 1/2) log x + x - log(2 pi) / 2) in z = 1 / x^2, x >= 2.5, error of lgamma(x)')
    split('log(2 pi) / 2', mp.log(2 * mp.pi) / 2, 24, 24)
    split('log(2 pi) / 2', mp.log(2 * mp.pi) / 2, 53, 53)


def group_constants():
    with mp.workprec(1400):
        split('ln2 (hi has 40 bits: k*hi is exact)', mp.log(2), 40, 53)
        split('log2(e)', 1 / mp.log(2), 53, 53)
        split('pi/2 (33 bits each: n*part is exact for |n| < 2^20)', mp.pi / 2, 33, 33, 33, 53)
        split('pi/2', mp.pi / 2, 53, 53)
        split('2/pi', 2 / mp.pi, 53)
        split('2 pi / 2^64', 2 * mp.pi / mpf(2)**64, 53, 53)
        split('sqrt(1/2)', mp.sqrt(mpf(1) / 2), 53, 53)
        split('ln2', mp.log(2), 53, 53)
        split('log10(e)', mp.log10(mp.e), 53, 53)
        split('log10(2) (hi has 40 bits)', mp.log10(2), 40, 53)
        split('1/3', mpf(1) / 3, 53, 53)
        split('1/5', mpf(1) / 5, 53, 53)
        bits = int(mp.floor(2 / mp.pi * mpf(2)**1280))
        print('// 2/pi, bits after the binary point, most significant word first:')
        for i in range(20):
            print('//   0x%016xull,' % ((bits >> (1280 - 64 * (i + 1))) & (2**64 - 1)))


GROUPS = {'constants': group_constants, 'exp': group_exp, 'log': group_log, 'sin': group_sin,
          'erf': group_erf, 'erfc': group_erfc, 'hyperbolic': group_hyperbolic, 'inverse_trig': group_inverse_trig,
          'cbrt': group_cbrt, 'lgamma': group_lgamma, 'sinc': group_sinc}

if __name__ == '__main__':
    for name in sys.argv[1:] or GROUPS:
        GROUPS[name]()
