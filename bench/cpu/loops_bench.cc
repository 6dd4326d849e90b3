// Ten of the commonest named texts beside the loops that a user would write by hand (plain_loops.c), float32, one
// thread, in cache: `loops_bench [ROUNDS]`, a table on stdout. The library and the loops as two sets of options compile
// them take turns in one process and on one set of operands; a time is the least of all rounds. All are compared with
// the same text in long double: the largest error of a result in ulp of that result. PAST is the columns less the rows.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "plain_loops.h"
#include "program.h"

using namespace tileops_bench;

namespace {

using Exact = long double;
using Row = std::vector<Exact>;

struct Operands {
  size_t rows, n;
  std::vector<float> x, residual, weight, bias;  // x has 2 n elements a row, of which most texts take n
  std::vector<int64_t> label;
  std::vector<float> y, h;  // what was computed last
  size_t past() const { return n > rows ? n - rows : 0; }
};

Operands operands(size_t rows, size_t n) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  const auto some = [&](size_t count) {
    std::vector<float> v(count);
    for (float& e : v) e = normal(random);
    return v;
  };
  // Without a bias no result is small because it took away what was before it, and ulp of a result mean something.
  const std::vector<float> bias(n, 0.0f);
  Operands o{rows, n, some(2 * rows * n), some(rows * n), some(n), bias, {}, {}, {}};
  for (size_t r = 0; r < rows; ++r) o.label.push_back(static_cast<int64_t>(random() % n));
  o.y.resize(rows * n);
  o.h.resize(rows * n);
  return o;
}

enum class Kind { x, packed, residual, weight, bias, label };

struct Text {
  std::string name;
  std::vector<Kind> kinds;  // of its operands
  size_t results;
  void (*loop)(const PlainLoops& loops, Operands* o);
  Row (*exact)(const Operands& o, size_t row);  // the first result's row
};

// Function f of element i of a row.
template <class F>
Row each(size_t n, F f) {
  Row y(n);
  for (size_t i = 0; i < n; ++i) y[i] = f(i);
  return y;
}
template <class F>
Exact sum(size_t n, F f) {
  Exact s = 0;
  for (size_t i = 0; i < n; ++i) s += f(i);
  return s;
}
Row row_of(const std::vector<float>& x, size_t row, size_t n) {
  return each(n, [&](size_t i) { return static_cast<Exact>(x[row * n + i]); });
}
Row rms_norm(const Row& h, const Operands& o) {
  const Exact mean = sum(o.n, [&](size_t i) { return h[i] * h[i]; }) / o.n;
  return each(o.n, [&](size_t i) { return h[i] / std::sqrt(mean + 1e-6L) * o.weight[i]; });
}
Exact log_sum_exp(const Row& x, size_t n) {
  return std::log(sum(n, [&](size_t i) { return std::exp(x[i]); }));
}
Row softmax(const Row& x, size_t seen) {
  const Exact all = log_sum_exp(x, seen);
  return each(x.size(), [&](size_t i) { return i < seen ? std::exp(x[i] - all) : 0; });
}

const Text kTexts[] = {
    {"rms_norm(x, weight)",
     {Kind::x, Kind::weight},
     1,
     [](const PlainLoops& loops, Operands* o) {
       loops.rms_norm(o->x.data(), o->weight.data(), o->y.data(), o->rows, o->n);
     },
     [](const Operands& o, size_t r) { return rms_norm(row_of(o.x, r, o.n), o); }},
    {"add_rms_norm(x, residual, weight)",
     {Kind::x, Kind::residual, Kind::weight},
     2,
     [](const PlainLoops& loops, Operands* o) {
       loops.add_rms_norm(o->x.data(), o->residual.data(), o->weight.data(), o->y.data(), o->h.data(), o->rows, o->n);
     },
     [](const Operands& o, size_t r) {
       const Row x = row_of(o.x, r, o.n), residual = row_of(o.residual, r, o.n);
       return rms_norm(each(o.n, [&](size_t i) { return x[i] + residual[i]; }), o);
     }},
    {"layer_norm(x, weight, bias)",
     {Kind::x, Kind::weight, Kind::bias},
     1,
     [](const PlainLoops& loops, Operands* o) {
       loops.layer_norm(o->x.data(), o->weight.data(), o->bias.data(), o->y.data(), o->rows, o->n);
     },
     [](const Operands& o, size_t r) {
       const Row x = row_of(o.x, r, o.n);
       const Exact mean = sum(o.n, [&](size_t i) { return x[i]; }) / o.n;
       const Exact var = sum(o.n, [&](size_t i) { return (x[i] - mean) * (x[i] - mean); }) / o.n;
       return each(o.n, [&](size_t i) { return (x[i] - mean) / std::sqrt(var + 1e-5L) * o.weight[i] + o.bias[i]; });
     }},
    {"l2_norm(x)",
     {Kind::x},
     1,
     [](const PlainLoops& loops, Operands* o) { loops.l2_norm(o->x.data(), o->y.data(), o->rows, o->n); },
     [](const Operands& o, size_t r) {
       const Row x = row_of(o.x, r, o.n);
       const Exact norm = std::sqrt(sum(o.n, [&](size_t i) { return x[i] * x[i]; }));
       return each(o.n, [&](size_t i) { return x[i] / norm; });
     }},
    {"softmax(x)",
     {Kind::x},
     1,
     [](const PlainLoops& loops, Operands* o) { loops.softmax(o->x.data(), o->y.data(), o->rows, o->n); },
     [](const Operands& o, size_t r) { return softmax(row_of(o.x, r, o.n), o.n); }},
    {"softmax_causal(x, past = PAST)",
     {Kind::x},
     1,
     [](const PlainLoops& loops, Operands* o) {
       loops.softmax_causal(o->x.data(), o->past(), o->y.data(), o->rows, o->n);
     },
     [](const Operands& o, size_t r) { return softmax(row_of(o.x, r, o.n), std::min(o.n, r + o.past() + 1)); }},
    {"log_softmax(x)",
     {Kind::x},
     1,
     [](const PlainLoops& loops, Operands* o) { loops.log_softmax(o->x.data(), o->y.data(), o->rows, o->n); },
     [](const Operands& o, size_t r) {
       const Row x = row_of(o.x, r, o.n);
       const Exact all = log_sum_exp(x, o.n);
       return each(o.n, [&](size_t i) { return x[i] - all; });
     }},
    {"cross_entropy(x, label)",
     {Kind::x, Kind::label},
     1,
     [](const PlainLoops& loops, Operands* o) {
       loops.cross_entropy(o->x.data(), o->label.data(), o->y.data(), o->rows, o->n);
     },
     [](const Operands& o, size_t r) {
       const Row x = row_of(o.x, r, o.n);
       return Row{log_sum_exp(x, o.n) - x[static_cast<size_t>(o.label[r])]};
     }},
    {"swiglu_packed(x)",
     {Kind::packed},
     1,
     [](const PlainLoops& loops, Operands* o) { loops.swiglu_packed(o->x.data(), o->y.data(), o->rows, o->n); },
     [](const Operands& o, size_t r) {
       const Row x = row_of(o.x, r, 2 * o.n);
       return each(o.n, [&](size_t i) { return x[i] / (1 + std::exp(-x[i])) * x[o.n + i]; });
     }},
    {"bias_gelu(x, bias)",
     {Kind::x, Kind::bias},
     1,
     [](const PlainLoops& loops, Operands* o) {
       loops.bias_gelu(o->x.data(), o->bias.data(), o->y.data(), o->rows, o->n);
     },
     [](const Operands& o, size_t r) {
       const Row x = row_of(o.x, r, o.n);
       return each(o.n, [&](size_t i) {
         const Exact h = x[i] + o.bias[i];
         return h * std::erfc(-h * std::sqrt(0.5L)) / 2;
       });
     }},
};

// The largest error of y's rows, in ulp of float32.
double largest_error(const Text& text, const Operands& o) {
  Exact most = 0;
  const float* y = o.y.data();
  for (size_t r = 0; r < o.rows; ++r)
    for (const Exact exact : text.exact(o, r)) {
      const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
      const Exact error = std::ldexp(std::abs(*y++ - exact), 23 - exponent);
      most = std::max(most, error);
    }
  return static_cast<double>(most);
}

// The text "(x, weight) -> rms_norm(x, weight)" of rms_norm's name and operands.
std::string text_of(const Text& text, size_t past) {
  std::string call = text.name, operands = "(";
  for (const Kind kind : text.kinds) {
    static const char* const names[] = {"x", "x", "residual", "weight", "bias", "label"};
    operands += (operands == "(" ? "" : ", ") + std::string(names[static_cast<size_t>(kind)]);
  }
  if (const size_t at = call.find("PAST"); at != std::string::npos) call.replace(at, 4, std::to_string(past));
  return operands + ") -> " + call;
}

void compare(tileops_context* context, const Text& text, Operands* o, int rounds, int calls) {
  const int64_t rows = static_cast<int64_t>(o->rows), n = static_cast<int64_t>(o->n);
  const int64_t all[] = {rows, n}, packed[] = {rows, 2 * n}, column[] = {rows, 1};
  const DLDataType f32{kDLFloat, 32, 1}, i64{kDLInt, 64, 1};
  std::vector<tileops_tensor_desc> inputs;
  std::vector<const void*> in;
  const auto operand = [&](const DLDataType& dtype, int32_t ndim, const int64_t* shape, const void* data) {
    inputs.push_back({dtype, ndim, shape, nullptr});
    in.push_back(data);
  };
  for (const Kind kind : text.kinds) switch (kind) {
      case Kind::x: operand(f32, 2, all, o->x.data()); break;
      case Kind::packed: operand(f32, 2, packed, o->x.data()); break;
      case Kind::residual: operand(f32, 2, all, o->residual.data()); break;
      case Kind::weight: operand(f32, 1, all + 1, o->weight.data()); break;
      case Kind::bias: operand(f32, 1, all + 1, o->bias.data()); break;
      case Kind::label: operand(i64, 2, column, o->label.data()); break;
    }
  void* const out[] = {o->y.data(), o->h.data()};
  tileops_execute_args args = TILEOPS_EXECUTE_ARGS_INIT;
  args.num_inputs = static_cast<int32_t>(in.size());
  args.num_outputs = static_cast<int32_t>(text.results);
  args.input_ptrs = in.data();
  args.output_ptrs = out;
  tileops_plan* plan = plan_of(context, text_of(text, o->past()), inputs);
  std::vector<Way> ways = {{"library", [&] { ok(tileops_execute_with(plan, &args)); }},
                           {"loop", [&] { text.loop(plain_loops, o); }},
                           {"fast loop", [&] { text.loop(fast_loops, o); }}};
  double errors[3];
  for (size_t k = 0; k < 3; ++k) {
    ways[k].run();
    errors[k] = largest_error(text, *o);
  }
  measure_in_turns(&ways, rounds, calls);
  const double library = ways[0].least() / 1000, loop = ways[1].least() / 1000, fast = ways[2].least() / 1000;
  std::printf("| `%s` | %zu x %zu | %.1f | %.1f | %.1f | %.2f | %.2f | %.1f | %.1f | %.1f |\n", text.name.c_str(),
              o->rows, o->n, library, loop, fast, loop / library, fast / library, errors[0], errors[1], errors[2]);
  std::fflush(stdout);
  tileops_plan_destroy(plan);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  std::printf("us, least of %d rounds, float32, one thread, in cache; largest errors in ulp of the result\n\n", rounds);
  std::printf(
      "| text | shape | library | loop | fast loop | loop / library | fast / library | error: library | loop | fast |\n"
      "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
  tileops_context* context = context_of(1);
  const size_t shapes[][2] = {{512, 1024}, {64, 4096}, {1, 4096}};
  for (const Text& text : kTexts)
    for (const auto& [rows, n] : shapes) {
      Operands o = operands(rows, n);
      compare(context, text, &o, rounds, rows == 1 ? 30 : 1);
    }
  tileops_context_destroy(context);
}
