// Memory runs out on the first use of what the library makes once: at each allocation in turn, once or from there on.
// Such a call is an error, or does without; the next one gives what it always gives, and comes to an end. Each try is a
// process of its own.
#include <dlfcn.h>
#include <sys/wait.h>
#include <tileops/tileops.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "text_of_child.h"

namespace {

thread_local long t_left = -1;  // allocations until one fails; below 0: none does
thread_local bool t_for_good = false, t_failed = false;

std::atomic<bool> g_workers_lack_scratch{false};
thread_local bool t_is_main = false;

// Is it scratch of kernels (src/cpu/threads/scratch.h), for a worker thread?
bool LacksScratch(size_t n) { return n >= size_t{256} << 10 && !t_is_main && g_workers_lack_scratch; }

bool Fails() {
  if (t_left < 0) return false;
  if (t_left-- > 0) return false;
  t_failed = true;
  errno = ENOMEM;
  if (t_for_good) t_left = 0;
  return true;
}

}  // namespace

extern "C" {
void* __libc_malloc(size_t);
void __libc_free(void*);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t n) { return Fails() ? nullptr : __libc_malloc(n); }
void* calloc(size_t n, size_t size) { return Fails() ? nullptr : __libc_calloc(n, size); }
void* realloc(void* p, size_t n) { return Fails() ? nullptr : __libc_realloc(p, n); }
void* memalign(size_t alignment, size_t n) { return Fails() ? nullptr : __libc_memalign(alignment, n); }
void* aligned_alloc(size_t alignment, size_t n) { return LacksScratch(n) ? nullptr : memalign(alignment, n); }
// oneTBB looks for libraries that may not be there, and glibc's dlopen() ends the process where it lacks memory for
// saying that one is not. That is not the subject: it has its memory.
void* dlopen(const char* file, int mode) {
  static void* (*const real)(const char*,
                             int) = reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  const long left = t_left;
  t_left = -1;
  void* const library = real(file, mode);
  t_left = left;
  return library;
}
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

// What a plan of the default context, made and executed, gives: of a row as long as a few threads are worth, or of
// less.
std::string g_result;

tileops_status PlanAndExecute(const char* text, int64_t rows, int64_t columns) {
  int64_t shape[2] = {rows, columns};
  const size_t count = static_cast<size_t>(rows * columns);
  float* const x = static_cast<float*>(__libc_malloc(count * sizeof(float)));
  float* const y = static_cast<float*>(__libc_calloc(count, sizeof(float)));
  for (size_t i = 0; i < count; ++i) x[i] = static_cast<float>(i % 97) / 8;
  const DLTensor of{x, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
  DLTensor to = of;
  to.data = y;
  const DLTensor* in[] = {&of};
  DLTensor* out[] = {&to};
  tileops_expr* expr = nullptr;
  tileops_plan* plan = nullptr;
  tileops_status status = tileops_expr_parse(text, strlen(text), &expr);
  if (status == TILEOPS_STATUS_OK) status = tileops_plan_create_like_expr(nullptr, expr, in, 1, out, 1, &plan);
  if (status == TILEOPS_STATUS_OK) status = tileops_execute(plan, in, 1, out, 1, nullptr);
  tileops_plan_destroy(plan);
  tileops_expr_destroy(expr);
  if (status == TILEOPS_STATUS_OK) {
    const long left = t_left;
    t_left = -1;  // the rest is the test's
    g_result.assign(reinterpret_cast<const char*>(y), count * sizeof(float));
    t_left = left;
  }
  __libc_free(x);
  __libc_free(y);
  return status;
}

std::string TextOfResult() { return g_result; }

struct Use {
  const char* name;
  std::function<tileops_status()> call;
  std::function<std::string()> text;  // of what it then gives
  bool each = false;                  // tries each allocation, of what is made behind the tables of operators
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
    {"tileops_execute, of threads", [] { return PlanAndExecute("(x) -> exp(x) - mean(x)", 80, 1000); }, TextOfResult,
     true},
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
  alarm(30);  // a call that waits for ever ends by a signal
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
  if (use.each) AllFunctions();  // makes the tables, which the others try
  long tries = 0, wrong = 0, last = 0;
  for (const bool for_good : {false, true}) {
    for (long after = 0;; after += use.each ? 1 : 1 + after / 100) {
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

// Worker threads have scratch of their own. Without memory for it the call is an error, and the next one is not.
bool CheckWorkers() {
  const char* const text = "(x) -> exp(x) - mean(x)";
  const std::string expected = text_of_child(
      [&] { return PlanAndExecute(text, 80, 1000) == TILEOPS_STATUS_OK ? g_result : ""; });
  const pid_t child = fork();
  if (child == 0) {
    alarm(30);
    t_is_main = true;
    g_workers_lack_scratch = true;
    for (int i = 0; i < 20; ++i) {  // until a worker has taken a part
      const tileops_status status = PlanAndExecute(text, 80, 1000);
      if (status != TILEOPS_STATUS_OK && status != TILEOPS_STATUS_OUT_OF_MEMORY) _exit(kOtherError);
      if (status == TILEOPS_STATUS_OK && g_result != expected) _exit(kTakenForRight);
    }
    g_workers_lack_scratch = false;
    if (PlanAndExecute(text, 80, 1000) != TILEOPS_STATUS_OK) _exit(kNotAgain);
    _exit(g_result == expected ? kFine : kOtherText);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int outcome = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (outcome != kFine)
    std::printf("workers without scratch: %s\n", outcome < 0 ? strsignal(WTERMSIG(status)) : kOutcomes[outcome]);
  return outcome == kFine && !expected.empty();
}

}  // namespace

int main() {
  setvbuf(stdout, nullptr, _IONBF, 0);  // nothing is written twice by children
  bool fine = true;
  for (const Use& use : kUses) fine = Check(use) && fine;
  fine = CheckWorkers() && fine;
  return fine ? 0 : 1;
}
