/* Trains a small network: train [--device cpu|cuda:0] [--steps N] [--loss MOST]
 *
 *     x (B, 16) -> layer norm and GELU of 128 -> 8 classes, cross entropy, AdamW
 *
 * Nothing is derived by hand: what stands between the matrix products is a text, and its gradient is the text that
 * tileops_expr_gradient gives. Of a product D = A B^T it is two products, dA = dD B and dB = dD^T A.
 *
 * The class of a point of [-1, 1]^16 says in which of three pairs of its coordinates the signs differ, which no linear
 * map can tell; ten coordinates say nothing. Every step has new points, so that the loss is that of points never seen.
 * Exit status 1 if the mean loss of the last 20 steps is not below MOST: 0.2 unless it is said; of guesses it is 2.08.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#define SHAPE(...) \
  (const int64_t[]) { __VA_ARGS__ }
#define LIST(...) \
  (Tensor*[]) { __VA_ARGS__, NULL }

enum { kBatch = 512, kInputs = 16, kHidden = 128, kClasses = 8, kLast = 20 };

static const char kHiddenLayer[] = "(p, b, w, c; eps = 1e-5) -> {"
                                   "  h = p + b;"
                                   "  d = h - mean(h);"
                                   "  gelu(d * rsqrt(mean(d * d) + eps) * w + c) }";

static const char kCrossEntropy[] = "(p, b, label) -> {"
                                    "  x = p + b;"
                                    "  m = detach(amax(x));"
                                    "  mean(log(sum(exp(x - m))) - (gather(x, label) - m), axis = all) }";

/* ------------------------------------------------------------------ data ------------------ */

static void make_batch(float* x, int64_t* labels, uint64_t* state) {
  for (int i = 0; i < kBatch; ++i) {
    float* point = x + i * kInputs;
    for (int k = 0; k < kInputs; ++k) point[k] = random_uniform(state);
    labels[i] = 0;
    for (int k = 0; k < 3; ++k) labels[i] |= (int64_t)((point[2 * k] < 0) != (point[2 * k + 1] < 0)) << k;
  }
}

/* ------------------------------------------------------------------ the network ----------- */

/* A parameter, its gradient, and AdamW's moments; updated where they are. */
typedef struct Parameter {
  Tensor *value, *grad, *mean, *square;
  int decays;
} Parameter;

static Parameter parameter(Machine* m, int rows, int columns, float middle, float scale, uint64_t* state) {
  const int ndim = rows > 0 ? 2 : 1;
  const int64_t* shape = rows > 0 ? SHAPE(rows, columns) : SHAPE(columns);
  Parameter made = {tensor_new(m, NULL, kFloat32, ndim, shape), tensor_new(m, NULL, kFloat32, ndim, shape),
                    tensor_new(m, NULL, kFloat32, ndim, shape), tensor_new(m, NULL, kFloat32, ndim, shape), rows > 0};
  const int64_t n = tensor_numel(made.value);
  float* values = calloc((size_t)n, sizeof *values);
  if (values == NULL) fail("out of memory");
  tensor_fill(m, made.mean, values);
  tensor_fill(m, made.square, values);
  for (int64_t i = 0; i < n; ++i) values[i] = middle + scale * random_uniform(state);
  tensor_fill(m, made.value, values);
  free(values);
  return made;
}

static Tensor* transposed(Machine* m, const Tensor* t) {
  return tensor_view(m, t, 0, 2, SHAPE(t->shape[1], t->shape[0]), SHAPE(t->strides[1], t->strides[0]));
}

/* D = A * B^T backwards. `da` may be NULL: nothing needs it. */
static void product_gradient(Program* p, const char* name, const Tensor* dd, const Tensor* a, const Tensor* b,
                             Tensor* da, Tensor* db) {
  Machine* m = p->machine;
  program_product(p, name, db, transposed(m, dd), transposed(m, a));
  if (da != NULL) program_product(p, name, da, dd, transposed(m, b));
}

/* A text's gradient with respect to its first `count` operands: a text too, of its operands and of grad_y0. */
static void text_gradient(Program* p, const char* name, const char* text, int count, Tensor* const* operands,
                          Tensor* const* results) {
  static const int32_t kFirst[kMostOperands] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  tileops_expr *expr = NULL, *gradient = NULL;
  check(tileops_expr_parse(text, strlen(text), &expr), name);
  check(tileops_expr_gradient(expr, kFirst, (size_t)count, &gradient), name);
  program_expr(p, name, gradient, operands, results);
  tileops_expr_destroy(gradient);
  tileops_expr_destroy(expr);
}

typedef struct Network {
  Tensor *x, *label, *loss;
  Parameter w1, b1, gain, shift, w2, b2;
} Network;

/* Forwards, backwards, and the update, as one program. */
static void build(Program* p, Network* net) {
  Machine* m = p->machine;
  uint64_t state = 7;
  const float one = 1;
  net->x = tensor_new(m, NULL, kFloat32, 2, SHAPE(kBatch, kInputs));
  net->label = tensor_new(m, NULL, kInt64, 2, SHAPE(kBatch, 1));
  net->loss = tensor_new(m, NULL, kFloat32, 2, SHAPE(1, 1));
  net->w1 = parameter(m, kHidden, kInputs, 0, sqrtf(3.0f / kInputs), &state);
  net->w2 = parameter(m, kClasses, kHidden, 0, sqrtf(3.0f / kHidden), &state);
  net->b1 = parameter(m, 0, kHidden, 0, 0, &state);
  net->b2 = parameter(m, 0, kClasses, 0, 0, &state);
  net->gain = parameter(m, 0, kHidden, 1, 0, &state);
  net->shift = parameter(m, 0, kHidden, 0, 0, &state);

  Tensor* p1 = tensor_new(m, NULL, kFloat32, 2, SHAPE(kBatch, kHidden));
  Tensor* h = tensor_new(m, NULL, kFloat32, 2, SHAPE(kBatch, kHidden));
  Tensor* p2 = tensor_new(m, NULL, kFloat32, 2, SHAPE(kBatch, kClasses));
  program_product(p, "layer 1", p1, net->x, net->w1.value);
  program_text(p, "hidden", kHiddenLayer, LIST(p1, net->b1.value, net->gain.value, net->shift.value), LIST(h));
  program_product(p, "layer 2", p2, h, net->w2.value);
  program_text(p, "cross entropy", kCrossEntropy, LIST(p2, net->b2.value, net->label), LIST(net->loss));

  Tensor* grad_loss = tensor_new(m, NULL, kFloat32, 2, SHAPE(1, 1));
  Tensor* grad_p2 = tensor_new(m, NULL, kFloat32, 2, SHAPE(kBatch, kClasses));
  Tensor* grad_h = tensor_new(m, NULL, kFloat32, 2, SHAPE(kBatch, kHidden));
  Tensor* grad_p1 = tensor_new(m, NULL, kFloat32, 2, SHAPE(kBatch, kHidden));
  tensor_fill(m, grad_loss, &one);
  text_gradient(p, "cross entropy'", kCrossEntropy, 2, LIST(p2, net->b2.value, net->label, grad_loss),
                LIST(grad_p2, net->b2.grad));
  product_gradient(p, "layer 2'", grad_p2, h, net->w2.value, grad_h, net->w2.grad);
  text_gradient(p, "hidden'", kHiddenLayer, 4, LIST(p1, net->b1.value, net->gain.value, net->shift.value, grad_h),
                LIST(grad_p1, net->b1.grad, net->gain.grad, net->shift.grad));
  product_gradient(p, "layer 1'", grad_p1, net->x, net->w1.value, NULL, net->w1.grad);

  const Parameter all[] = {net->w1, net->b1, net->gain, net->shift, net->w2, net->b2};
  tileops_expr* adamw = NULL;
  check(tileops_expr_named("adamw", &adamw), "adamw"); /* a text that the library knows by name */
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
    program_expr(p, all[i].decays ? "adamw" : "adamw of biases", adamw,
                 LIST(all[i].value, all[i].grad, all[i].mean, all[i].square),
                 LIST(all[i].value, all[i].mean, all[i].square));
  tileops_expr_destroy(adamw);
}

/* ------------------------------------------------------------------ training -------------- */

/* The scalars of a step; nothing is planned anew for them. */
static void set_step(Program* p, int step, int steps) {
  static const char* const kNames[] = {"adamw", "adamw of biases"};
  const double warm = step < 20 ? (step + 1) / 20.0 : 1,
               lr = 1e-2 * warm * (0.5 + 0.5 * cos(3.14159265 * step / steps));
  for (int i = 0; i < 2; ++i) {
    program_scalar(p, kNames[i], "lr", tileops_number_f64(lr));
    program_scalar(p, kNames[i], "wd", tileops_number_f64(i == 0 ? 0.01 : 0));
    program_scalar(p, kNames[i], "t", tileops_number_i64(step + 1));
  }
}

int main(int argc, char** argv) {
  const char* device = "cpu";
  int steps = 400;
  double most = 0.2;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) fail("train: %s needs a value", argv[i]);
    if (strcmp(argv[i], "--device") == 0) device = argv[i + 1];
    else if (strcmp(argv[i], "--steps") == 0) steps = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--loss") == 0) most = atof(argv[i + 1]);
    else fail("train: what is '%s'?", argv[i]);
  }
  if (steps < kLast) fail("train: --steps must be at least %d", kLast);

  Machine machine;
  Network net;
  Program program = {.machine = &machine};
  static float x[kBatch * kInputs];
  static int64_t labels[kBatch];
  uint64_t state = 1;
  double last = 0;
  machine_open(&machine, device);
  build(&program, &net);
  const Cost cost = program_cost(&program);
  printf("network %d -> %d -> %d, batches of %d, on %s: %d plans, %d passes, %d products a step\nproducts: %s\n",
         kInputs, kHidden, kClasses, kBatch, device, cost.plans, cost.passes, cost.products, product_means(&machine));
  const double begin = now();
  for (int step = 0; step < steps; ++step) {
    make_batch(x, labels, &state);
    tensor_fill(&machine, net.x, x);
    tensor_fill_i64(&machine, net.label, labels);
    set_step(&program, step, steps);
    program_run(&program, kTexts | kProducts);
    const double loss = tensor_first(&machine, net.loss);
    if (step >= steps - kLast) last += loss / kLast;
    if (step % (steps / 5) == 0) printf("  step %4d  loss %.4f\n", step, loss);
  }
  printf("  the last %d  loss %.4f, to be below %.4g: %s\n%.3f ms a step\n", kLast, last, most,
         last < most ? "reached" : "NOT REACHED", (now() - begin) / steps * 1e3);
  program_free(&program);
  machine_close(&machine);
  return !(last < most); /* NaN is not below either */
}
