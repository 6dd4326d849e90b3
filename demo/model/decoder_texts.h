/* The texts of the decoder block: a weight's, and eight of the block itself.
 *
 * Products are of fp8 codes; what they give is not scaled. The scales, one for each row of A and of B, are operands of
 * the text that reads the product: (s_a * a) (s_b * b) = s_a * s_b * (a b). */
#ifndef TILEOPS_DEMO_DECODER_TEXTS_H_
#define TILEOPS_DEMO_DECODER_TEXTS_H_

/* A weight of (N, K) once: codes, and a scale for each of its rows. */
static const char kQuantise[] = "(w) -> { s = cast(maximum(amax(abs(w)), 1e-10) / 448, f32);  cast(w / s, e4m3fn), s }";

/* RMSNorm, quantised by token. */
static const char kNorm[] = "(x, w; eps = 1e-6) -> {"
                            "  n = x * rsqrt(mean(x * x) + eps) * w;"
                            "  s = cast(maximum(amax(abs(n)), 1e-10) / 448, f32);"
                            "  cast(n / s, e4m3fn), s }";

/* Queries of (T, H, d): scaled, normed by head (the two halves apart, which are what is rotated), turned by their
 * positions, quantised by head. `s` is the token's scale, `t` that of the weight's row. */
static const char kQueries[] = "(q, s, t, w, cos, sin, pos; eps = 1e-6) -> {"
                               "  a = chunk(q, 0, 2) * s * chunk(t, 0, 2);"
                               "  b = chunk(q, 1, 2) * s * chunk(t, 1, 2);"
                               "  r = rsqrt((sum(a * a) + sum(b * b)) / extent(q, -1) + eps);"
                               "  m = a * r * chunk(w, 0, 2);"
                               "  n = b * r * chunk(w, 1, 2);"
                               "  c = gather(cos, pos, axis = -3);"
                               "  d = gather(sin, pos, axis = -3);"
                               "  y = m * c - n * d;"
                               "  z = n * c + m * d;"
                               "  u = cast(maximum(maximum(amax(abs(y)), amax(abs(z))), 1e-10) / 448, f32);"
                               "  concat(cast(y / u, e4m3fn), cast(z / u, e4m3fn)), u }";

/* Keys likewise, and values, into the cache: each token is written at its position along the axis of positions. A
 * scatter takes no concat, so that halves are results of their own, into two views of the cache. */
static const char kKeysAndValues[] =
    "(k, v, s, t, o, w, cos, sin, pos; eps = 1e-6) -> {"
    "  a = chunk(k, 0, 2) * s * chunk(t, 0, 2);"
    "  b = chunk(k, 1, 2) * s * chunk(t, 1, 2);"
    "  r = rsqrt((sum(a * a) + sum(b * b)) / extent(k, -1) + eps);"
    "  m = a * r * chunk(w, 0, 2);"
    "  n = b * r * chunk(w, 1, 2);"
    "  c = gather(cos, pos, axis = -3);"
    "  d = gather(sin, pos, axis = -3);"
    "  y = m * c - n * d;"
    "  z = n * c + m * d;"
    "  u = cast(maximum(maximum(amax(abs(y)), amax(abs(z))), 1e-10) / 448, f32);"
    "  g = chunk(v, 0, 2) * s * chunk(o, 0, 2);"
    "  h = chunk(v, 1, 2) * s * chunk(o, 1, 2);"
    "  f = cast(maximum(maximum(amax(abs(g)), amax(abs(h))), 1e-10) / 448, f32);"
    "  scatter(cast(y / u, e4m3fn), pos, axis = -3), scatter(cast(z / u, e4m3fn), pos, axis = -3),"
    "  scatter(u, pos, axis = -3),"
    "  scatter(cast(g / f, e4m3fn), pos, axis = -3), scatter(cast(h / f, e4m3fn), pos, axis = -3),"
    "  scatter(f, pos, axis = -3) }";

/* Softmax of scores of (G, H/G, T, S) under a causal mask. The scale of a value belongs to its position, along which
 * the next product sums: it goes into the probabilities. */
static const char kSoftmax[] = "(x, sq, sk, sv, pos; scale = 1.0) -> {"
                               "  v = where(index(x, -1) <= pos, x * sq * sk * scale, -inf);"
                               "  e = exp(v - detach(amax(v)));"
                               "  p = e / sum(e) * sv;"
                               "  s = cast(maximum(amax(p), 1e-10) / 448, f32);"
                               "  cast(p / s, e4m3fn), s }";

/* What attention gives, quantised by token: over the heads and within them. */
static const char kAttended[] = "(x, sp) -> {"
                                "  h = x * sp;"
                                "  s = cast(maximum(amax(abs(h), axis = (-2, -1)), 1e-10) / 448, f32);"
                                "  cast(h / s, e4m3fn), s }";

/* The residual, and the norm of the MLP. */
static const char kAddNorm[] = "(p, s, t, x, w; eps = 1e-6) -> {"
                               "  h = p * s * t + x;"
                               "  n = h * rsqrt(mean(h * h) + eps) * w;"
                               "  r = cast(maximum(amax(abs(n)), 1e-10) / 448, f32);"
                               "  cast(n / r, e4m3fn), r, h }";

/* SwiGLU of gate and up side by side. */
static const char kSwiglu[] = "(x, s, t) -> {"
                              "  g = chunk(x, 0, 2) * s * chunk(t, 0, 2);"
                              "  u = chunk(x, 1, 2) * s * chunk(t, 1, 2);"
                              "  h = silu(g) * u;"
                              "  r = cast(maximum(amax(abs(h)), 1e-10) / 448, f32);"
                              "  cast(h / r, e4m3fn), r }";

static const char kAdd[] = "(p, s, t, x) -> p * s * t + x";

#endif
