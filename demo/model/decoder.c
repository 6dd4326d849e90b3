/* The block: what stands between two products is one text, whatever it is: a residual, a norm, a rotation, a softmax,
 * an activation, and the quantisation for the product that follows (decoder_texts.h). */
#include "decoder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoder_texts.h"

/* ------------------------------------------------------------------ tensors --------------- */

#define SHAPE(...) \
  (const int64_t[]) { __VA_ARGS__ }
#define LIST(...) \
  (Tensor*[]) { __VA_ARGS__, NULL }

typedef struct Weight {
  Tensor *codes, *scales; /* (N, K); (N) */
} Weight;

static float* random_values(int64_t n, float middle, float scale, uint64_t seed) {
  float* values = malloc((size_t)n * sizeof *values);
  if (values == NULL) fail("out of memory");
  for (int64_t i = 0; i < n; ++i) values[i] = middle + scale * random_uniform(&seed);
  return values;
}

/* Made on the host, quantised where it will be used. */
static Weight make_weight(Machine* m, const char* codes, const char* scales, int64_t rows, int64_t columns) {
  Weight weight = {tensor_new(m, codes, m->code, 2, SHAPE(rows, columns)),
                   tensor_new(m, scales, kFloat32, 2, SHAPE(rows, 1))};
  Machine staging; /* its tensor is freed when the weight is there */
  machine_open(&staging, m->device.device_type == kDLCUDA ? "cuda:0" : "cpu");
  float* values = random_values(rows * columns, 0, 1.7320508f / sqrtf((float)columns), (uint64_t)(rows * 31 + columns));
  Tensor* whole = tensor_new(&staging, NULL, kFloat32, 2, SHAPE(rows, columns));
  tensor_fill(&staging, whole, values);
  free(values);
  Program quantise = {.machine = &staging};
  program_text(&quantise, "quantise", kQuantise, LIST(whole), LIST(weight.codes, weight.scales));
  program_run(&quantise, kTexts);
  program_free(&quantise);
  machine_close(&staging);
  weight.scales = tensor_view(m, weight.scales, 0, 1, SHAPE(rows), NULL);
  return weight;
}

static Tensor* make_gain(Machine* m, const char* name, int64_t n, uint64_t seed) {
  float* values = random_values(n, 1, 0.25f, seed);
  Tensor* t = tensor_new(m, name, kFloat32, 1, SHAPE(n));
  tensor_fill(m, t, values);
  free(values);
  return t;
}

/* cos or sin of position * 10000^(-i / half), of (S, 1, half). */
static Tensor* make_angles(Machine* m, const char* name, int64_t capacity, int64_t half, double (*of)(double)) {
  float* values = malloc((size_t)(capacity * half) * sizeof *values);
  if (values == NULL) fail("out of memory");
  for (int64_t s = 0; s < capacity; ++s)
    for (int64_t i = 0; i < half; ++i)
      values[s * half + i] = (float)of((double)s * pow(10000, -(double)i / (double)half));
  Tensor* t = tensor_new(m, name, kFloat32, 3, SHAPE(capacity, 1, half));
  tensor_fill(m, t, values);
  free(values);
  return t;
}

static Tensor* make_zeros(Machine* m, const char* name, DLDataType dtype, int64_t a, int64_t b, int64_t c) {
  float* zeros = calloc((size_t)(a * b * c), sizeof *zeros);
  if (zeros == NULL) fail("out of memory");
  Tensor* t = tensor_new(m, name, dtype, 3, SHAPE(a, b, c));
  tensor_fill(m, t, zeros);
  free(zeros);
  return t;
}

/* ------------------------------------------------------------------ the block ------------- */

/* What lives longer than a run, and x. */
typedef struct Given {
  Tensor *x, *pos, *cos, *sin, *norm, *query_norm, *key_norm, *mlp_norm;
  Weight qkv, out, gate_up, down;
  Tensor *keys, *key_scales, *values, *value_scales; /* the cache: (G, S, d), (G, S), transposed (G, d, S), (G, S) */
} Given;

static Given make_given(Decoder* decoder) {
  Machine* m = &decoder->machine;
  const DecoderShape z = decoder->shape;
  const int64_t heads = z.heads + 2 * z.cache_heads;
  Given g;
  g.x = tensor_new(m, "x", m->real, 2, SHAPE(z.tokens, z.width));
  g.pos = tensor_new(m, "pos", kInt64, 3, SHAPE(z.tokens, 1, 1));
  g.cos = make_angles(m, "cos", z.capacity, z.head_dim / 2, cos);
  g.sin = make_angles(m, "sin", z.capacity, z.head_dim / 2, sin);
  g.norm = make_gain(m, "norm", z.width, 1);
  g.query_norm = make_gain(m, "query_norm", z.head_dim, 2);
  g.key_norm = make_gain(m, "key_norm", z.head_dim, 3);
  g.mlp_norm = make_gain(m, "mlp_norm", z.width, 4);
  g.qkv = make_weight(m, "qkv", "qkv_s", heads * z.head_dim, z.width);
  g.out = make_weight(m, "out", "out_s", z.width, z.heads * z.head_dim);
  g.gate_up = make_weight(m, "gate_up", "gate_up_s", 2 * z.hidden, z.width);
  g.down = make_weight(m, "down", "down_s", z.width, z.hidden);
  /* Zeros: what is behind the mask is multiplied, and must be finite. */
  g.keys = make_zeros(m, "keys", m->code, z.cache_heads, z.capacity, z.head_dim);
  g.values = make_zeros(m, "values", m->code, z.cache_heads, z.head_dim, z.capacity);
  g.key_scales = make_zeros(m, "key_scales", kFloat32, z.cache_heads, z.capacity, 1);
  g.value_scales = make_zeros(m, "value_scales", kFloat32, z.cache_heads, z.capacity, 1);
  return g;
}

/* Tensors between steps have names in the fused form, where they are saved. */
static const char* named(const Program* p, const char* name) { return p->unfused ? NULL : name; }

static void build(Program* p, DecoderShape z, const Given* g, Tensor* y) {
  Machine* m = p->machine;
  const int64_t T = z.tokens, S = z.capacity, H = z.heads, G = z.cache_heads, d = z.head_dim, half = d / 2;
  const int64_t all = H + 2 * G, group = H / G;

  /* Norm and the product of queries, keys and values, whose heads lie side by side. */
  Tensor* normed = tensor_new(m, named(p, "normed"), m->code, 2, SHAPE(T, z.width));
  Tensor* normed_s = tensor_new(m, named(p, "normed_s"), kFloat32, 2, SHAPE(T, 1));
  Tensor* raw = tensor_new(m, named(p, "qkv_raw"), m->real, 2, SHAPE(T, all * d));
  program_text(p, "norm", kNorm, LIST(g->x, g->norm), LIST(normed, normed_s));
  program_product(p, "qkv", raw, normed, g->qkv.codes);

  /* Heads go in front by the strides of the results: no transposition is a step of its own. */
  Tensor* queries = tensor_new(m, named(p, "queries"), m->code, 3, SHAPE(H, T, d));
  Tensor* queries_s = tensor_new(m, named(p, "queries_s"), kFloat32, 3, SHAPE(H, T, 1));
  const int64_t* by_token = SHAPE(all * d, d, 1);
  Tensor* s = tensor_view(m, normed_s, 0, 3, SHAPE(T, 1, 1), NULL);
  Tensor* q = tensor_view(m, raw, 0, 3, SHAPE(T, H, d), by_token);
  Tensor* q_s = tensor_view(m, g->qkv.scales, 0, 2, SHAPE(H, d), NULL);
  program_text(p, "queries", kQueries, LIST(q, s, q_s, g->query_norm, g->cos, g->sin, g->pos),
               LIST(tensor_view(m, queries, 0, 3, SHAPE(T, H, d), SHAPE(d, T * d, 1)),
                    tensor_view(m, queries_s, 0, 3, SHAPE(T, H, 1), SHAPE(1, T, 1))));

  Tensor* k = tensor_view(m, raw, H * d, 3, SHAPE(T, G, d), by_token);
  Tensor* v = tensor_view(m, raw, (H + G) * d, 3, SHAPE(T, G, d), by_token);
  Tensor* k_s = tensor_view(m, g->qkv.scales, H * d, 2, SHAPE(G, d), NULL);
  Tensor* v_s = tensor_view(m, g->qkv.scales, (H + G) * d, 2, SHAPE(G, d), NULL);
  const int64_t *halves = SHAPE(S, G, half), *key_strides = SHAPE(d, S * d, 1), *value_strides = SHAPE(1, d * S, S);
  const int64_t *ones = SHAPE(S, G, 1), *scale_strides = SHAPE(1, S, 1);
  program_text(
      p, "keys, values", kKeysAndValues, LIST(k, v, s, k_s, v_s, g->key_norm, g->cos, g->sin, g->pos),
      LIST(tensor_view(m, g->keys, 0, 3, halves, key_strides), tensor_view(m, g->keys, half, 3, halves, key_strides),
           tensor_view(m, g->key_scales, 0, 3, ones, scale_strides),
           tensor_view(m, g->values, 0, 3, halves, value_strides),
           tensor_view(m, g->values, half * S, 3, halves, value_strides),
           tensor_view(m, g->value_scales, 0, 3, ones, scale_strides)));

  /* Attention: heads that share a head of the cache are rows of one product. */
  Tensor* scores = tensor_new(m, named(p, "scores"), m->real, 3, SHAPE(G, group * T, S));
  Tensor* weights = tensor_new(m, named(p, "weights"), m->code, 3, SHAPE(G, group * T, S));
  Tensor* weights_s = tensor_new(m, named(p, "weights_s"), kFloat32, 3, SHAPE(T, H, 1));
  Tensor* mixed = tensor_new(m, named(p, "mixed"), m->real, 3, SHAPE(G, group * T, d));
  program_product(p, "scores", scores, tensor_view(m, queries, 0, 3, SHAPE(G, group * T, d), NULL), g->keys);
  const int64_t *four = SHAPE(G, group, T, S), *rows = SHAPE(G, group, T, 1), *columns = SHAPE(G, 1, 1, S);
  program_text(
      p, "softmax", kSoftmax,
      LIST(tensor_view(m, scores, 0, 4, four, NULL), tensor_view(m, queries_s, 0, 4, rows, NULL),
           tensor_view(m, g->key_scales, 0, 4, columns, NULL), tensor_view(m, g->value_scales, 0, 4, columns, NULL),
           tensor_view(m, g->pos, 0, 2, SHAPE(T, 1), NULL)),
      LIST(tensor_view(m, weights, 0, 4, four, NULL), tensor_view(m, weights_s, 0, 4, rows, SHAPE(group, 1, H, 1))));
  program_scalar(p, "softmax", "scale", tileops_number_f64(1 / sqrt((double)d)));
  program_product(p, "mix", mixed, weights, g->values);

  Tensor* attended = tensor_new(m, named(p, "attended"), m->code, 3, SHAPE(T, H, d));
  Tensor* attended_s = tensor_new(m, named(p, "attended_s"), kFloat32, 3, SHAPE(T, 1, 1));
  Tensor* out = tensor_new(m, named(p, "out_raw"), m->real, 2, SHAPE(T, z.width));
  program_text(p, "attended", kAttended,
               LIST(tensor_view(m, mixed, 0, 3, SHAPE(T, H, d), SHAPE(d, T * d, 1)), weights_s),
               LIST(attended, attended_s));
  program_product(p, "out", out, tensor_view(m, attended, 0, 2, SHAPE(T, H * d), NULL), g->out.codes);

  /* The MLP. */
  Tensor* h = tensor_new(m, named(p, "h"), m->real, 2, SHAPE(T, z.width));
  Tensor* h_normed = tensor_new(m, named(p, "h_normed"), m->code, 2, SHAPE(T, z.width));
  Tensor* h_s = tensor_new(m, named(p, "h_s"), kFloat32, 2, SHAPE(T, 1));
  Tensor* gate_up = tensor_new(m, named(p, "gate_up_raw"), m->real, 2, SHAPE(T, 2 * z.hidden));
  Tensor* hidden = tensor_new(m, named(p, "hidden"), m->code, 2, SHAPE(T, z.hidden));
  Tensor* hidden_s = tensor_new(m, named(p, "hidden_s"), kFloat32, 2, SHAPE(T, 1));
  Tensor* down = tensor_new(m, named(p, "down_raw"), m->real, 2, SHAPE(T, z.width));
  program_text(p, "add, norm", kAddNorm,
               LIST(out, tensor_view(m, attended_s, 0, 2, SHAPE(T, 1), NULL), g->out.scales, g->x, g->mlp_norm),
               LIST(h_normed, h_s, h));
  program_product(p, "gate, up", gate_up, h_normed, g->gate_up.codes);
  program_text(p, "swiglu", kSwiglu, LIST(gate_up, h_s, g->gate_up.scales), LIST(hidden, hidden_s));
  program_product(p, "down", down, hidden, g->down.codes);
  program_text(p, "add", kAdd, LIST(down, hidden_s, g->down.scales, h), LIST(y));
}

void decoder_open(Decoder* decoder, const char* device, DecoderShape shape, int with_unfused) {
  Machine* m = &decoder->machine;
  memset(decoder, 0, sizeof *decoder);
  decoder->shape = shape;
  if (shape.heads % shape.cache_heads != 0 || shape.head_dim % 2 != 0)
    fail("decoder: heads must be a multiple of those of the cache, and their extent even");
  machine_open(m, device);
  const Given given = make_given(decoder);
  decoder->block.machine = decoder->unfused.machine = m;
  decoder->unfused.unfused = 1;
  build(&decoder->block, shape, &given, tensor_new(m, "y", m->real, 2, SHAPE(shape.tokens, shape.width)));
  if (with_unfused)
    build(&decoder->unfused, shape, &given, tensor_new(m, "y_unfused", m->real, 2, SHAPE(shape.tokens, shape.width)));
}

void decoder_close(Decoder* decoder) {
  program_free(&decoder->block);
  program_free(&decoder->unfused);
  machine_close(&decoder->machine);
}

void decoder_tokens(Decoder* decoder, int64_t past) {
  Machine* m = &decoder->machine;
  const DecoderShape z = decoder->shape;
  if (past < 0 || past + z.tokens > z.capacity) fail("decoder: the cache holds %lld tokens", (long long)z.capacity);
  float* x = random_values(z.tokens * z.width, 0, 1, (uint64_t)(100 + past));
  int64_t* pos = malloc((size_t)z.tokens * sizeof *pos);
  if (pos == NULL) fail("out of memory");
  for (int64_t i = 0; i < z.tokens; ++i) pos[i] = past + i;
  tensor_fill(m, machine_find(m, "x"), x);
  tensor_fill_i64(m, machine_find(m, "pos"), pos);
  free(pos);
  free(x);
}

void decoder_run(Decoder* decoder, int unfused) {
  program_run(unfused ? &decoder->unfused : &decoder->block, kTexts | kProducts);
}
