// Memory runs out on the first use of what the library makes once: at each allocation in turn, once or from there on.
// Such a call is an error, or does without; the next one gives what it always gives. Each try is a process of its own.
#include <sys/wait.h>
#include <tileops/tileops.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "text_of_child.h"

namespace {

thread_local long t_left = -1;  // allocations until one fails; below 0: none does
thread_local bool t_for_good = false, t_failed = false;

bool Fails() {
  if (t_left < 0) return false;
  if (t_left-- > 0) return false;
  t_failed = true;
  if (t_for_good) t_left = 0;
  return true;
}

}  // namespace

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t n) { return Fails() ? nullptr : __libc_malloc(n); }
void* calloc(size_t n, size_t size) { return Fails() ? nullptr : __libc_calloc(n, size); }
void* realloc(void* p, size_t n) { return Fails() ? nullptr : __libc_realloc(p, n); }
void* memalign(size_t alignment, size_t n) { return Fails() ? nullptr : __libc_memalign(alignment, n); }
void* aligned_alloc(size_t alignment, size_t n) { return memalign(alignment, n); }
int posix_memalign(void** out, size_t alignment, size_t n) {
  *out = memalign(alignment, n);
  return *out ? 0 : 12;  // ENOMEM
}
}

namespace {

tileops_status OfValue(bool there) { return there ? TILEOPS_STATUS_OK : TILEOPS_STATUS_OUT_OF_MEMORY; }

std::string OfInfo(const tileops_op_info& info) {
  std::string all = std::string(info.name) + " " + info.category + " " + info.doc + " " + info.result + "\n";
  for (int i = 0; i < info.max_inputs; ++i) all += std::string(info.inputs[i].name) + " ";
  for (int i = 0; i < info.num_attrs; ++i)
    all += std::string(info.attrs[i].name) + (info.attrs[i].choices ? info.attrs[i].choices : "") + " ";
  return all + info.details + "\n";
}

std::string AllOperators() {
  std::string all;
  for (size_t i = 0; i < tileops_op_count(); ++i) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    if (tileops_op_describe(tileops_op_at(i), &info) == TILEOPS_STATUS_OK) all += OfInfo(info);
  }
  return all;
}

std::string AllFunctions() {
  std::string all;
  for (size_t i = 0; i < tileops_function_count(); ++i) {
    tileops_op_info info = TILEOPS_OP_INFO_INIT;
    if (tileops_function_describe(tileops_function_at(i), &info) == TILEOPS_STATUS_OK) all += OfInfo(info);
  }
  return all;
}

tileops_expr* g_expr = nullptr;  // what a call made

std::string TextOfExpr() {
  size_t size = 0;
  if (!g_expr || tileops_expr_text(g_expr, nullptr, &size) != TILEOPS_STATUS_OK) return "";
  std::string text(size, '\0');
  tileops_expr_text(g_expr, &text[0], &size);
  return text + AllOperators() + AllFunctions();
}

constexpr char kText[] =
    "(x, m; s = 0.5) -> { h = gelu(x * (2 ** 3 + 1.5), tanh); cast(masked_fill(h, m, s), bf16), h }";

tileops_status Parse() { return tileops_expr_parse(kText, sizeof kText - 1, &g_expr); }

tileops_status Build() {
  tileops_builder* b = nullptr;
  const tileops_status created = tileops_builder_create(&b);
  if (created != TILEOPS_STATUS_OK) return created;
  const tileops_node x = tileops_build_operand(b, "x", nullptr);
  const tileops_node numbers[] = {tileops_build_constant(b, tileops_number_f64(1)),
                                  tileops_build_constant(b, tileops_number_f64(3))};
  const tileops_node arguments[] = {x, tileops_build_op(b, TILEOPS_OP_DIV, numbers, 2, nullptr, 0)};
  tileops_build_result(b, tileops_build_op(b, TILEOPS_OP_MUL, arguments, 2, nullptr, 0), "third");
  const tileops_status status = tileops_builder_finish(b, &g_expr);
  tileops_builder_destroy(b);
  return status;
}

tileops_status Gradient() {
  tileops_expr* expr = nullptr;
  const int32_t operand = 0;
  const tileops_status parsed = tileops_expr_parse(kText, sizeof kText - 1, &expr);
  if (parsed != TILEOPS_STATUS_OK) return parsed;
  const tileops_status status = tileops_expr_gradient(expr, &operand, 1, &g_expr);
  tileops_expr_destroy(expr);
  return status;
}

struct Use {
  const char* name;
  std::function<tileops_status()> call;
  std::function<std::string()> text;  // of what it then gives
};

const Use kUses[] = {
    {"tileops_op_count", [] { return OfValue(tileops_op_count() > 0); }, AllOperators},
    {"tileops_op_at", [] { return OfValue(tileops_op_at(0) != TILEOPS_OP_NONE); }, AllOperators},
    {"tileops_op_from_name", [] { return OfValue(tileops_op_from_name("cast") != TILEOPS_OP_NONE); }, AllOperators},
    {"tileops_op_describe",
     [] {
       tileops_op_info info = TILEOPS_OP_INFO_INIT;
       return tileops_op_describe(TILEOPS_OP_GELU, &info);
     },
     AllOperators},
    {"tileops_function_count", [] { return OfValue(tileops_function_count() > 0); }, AllFunctions},
    {"tileops_function_from_name", [] { return OfValue(tileops_function_from_name("fma") != TILEOPS_OP_NONE); },
     AllFunctions},
    {"tileops_build_info", [] { return OfValue(*tileops_build_info() != '\0'); },
     [] { return std::string(tileops_build_info()); }},
    {"tileops_expr_parse", Parse, TextOfExpr},
    {"tileops_expr_named", [] { return tileops_expr_named("adamw", &g_expr); }, TextOfExpr},
    {"tileops_builder_finish", Build, TextOfExpr},
    {"tileops_expr_gradient", Gradient, TextOfExpr},
};

// The text that a process gets which has all its memory.
std::string Expected(const Use& use) {
  return text_of_child([&] { return use.call() == TILEOPS_STATUS_OK ? use.text() : ""; });
}

enum Outcome { kFine, kNothingFailed, kTakenForRight, kOtherError, kNotAgain, kOtherText };
const char* const kOutcomes[] = {"",
                                 "",
                                 "gives something else without an error",
                                 "gives another error than OUT_OF_MEMORY",
                                 "fails the next time",
                                 "gives something else the next time"};

Outcome Try(const Use& use, const std::string& expected, long after, bool for_good) {
  t_left = after;
  t_for_good = for_good;
  const tileops_status status = use.call();
  t_left = -1;
  if (!t_failed) return kNothingFailed;
  if (status == TILEOPS_STATUS_OK && use.text() != expected) return kTakenForRight;
  if (status != TILEOPS_STATUS_OK && status != TILEOPS_STATUS_OUT_OF_MEMORY) return kOtherError;
  if (use.call() != TILEOPS_STATUS_OK) return kNotAgain;
  return use.text() == expected ? kFine : kOtherText;
}

// False if something is wrong; where many allocations are made, far ones are tried at intervals.
bool Check(const Use& use) {
  const std::string expected = Expected(use);
  long tries = 0, wrong = 0, last = 0;
  for (const bool for_good : {false, true}) {
    for (long after = 0;; after += 1 + after / 100) {
      const pid_t child = fork();
      if (child == 0) _exit(Try(use, expected, after, for_good));
      int status = 0;
      waitpid(child, &status, 0);
      const int outcome = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      if (outcome == kNothingFailed) break;
      ++tries;
      last = after;
      if (outcome == kFine) continue;
      if (wrong++ < 5)
        std::printf("%s: memory ran out after %ld allocations%s: %s\n", use.name, after, for_good ? ", for good" : "",
                    outcome < 0 ? strsignal(WTERMSIG(status)) : kOutcomes[outcome]);
    }
  }
  std::printf("%-28s %4ld tries among %ld allocations, %ld wrong\n", use.name, tries, last + 1, wrong);
  return tries > 0 && wrong == 0 && !expected.empty();
}

}  // namespace

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);  // nothing is written twice by children
  bool fine = true;
  for (const Use& use : kUses) fine = Check(use) && fine;
  return fine ? 0 : 1;
}
