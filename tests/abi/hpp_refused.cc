// Lines that must not compile, beside like ones that must: hpp_refused.py tries them.
#include <list>
#include <string>
#include <tileops/tileops.hpp>
#include <vector>

namespace tl = tileops;

float x[2];

// Makes a view each time that it is read.
struct Made {
  struct Iterator {
    int at;
    tl::View operator*() const { return {x + at, {1}}; }
    Iterator& operator++() { return ++at, *this; }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  Iterator begin() const { return {0}; }
  Iterator end() const { return {2}; }
};

void pointers_into_temporaries() {
  tl::View view(x, {2});
  const tl::ConstView const_view = view;
  tl::ManagedTensor tensor(tl::float32, {2});
  const DLTensor *a = const_view.get(), *b = tensor.get();
  DLTensor *c = view.get(), *d = tensor.get();
  a = tl::ConstView(x, {2}).get();                // refused
  c = tl::View(x, {2}).get();                     // refused
  d = tl::ManagedTensor(tl::float32, {2}).get();  // refused
  float* e = tensor.data<float>();
  e = tl::ManagedTensor(tl::float32, {2}).data<float>();  // refused
  tl::Workspace workspace = tensor;
  workspace = tl::ManagedTensor(tl::float32, {2});  // refused

  const tl::Dims dims{1, 2};
  const int64_t* extent = dims.begin();
  extent = tl::Dims{1, 2}.begin();  // refused
  extent = tl::Dims{1, 2}.end();    // refused
  const tl::Inputs inputs{view};
  const tl::Outputs outputs{view};
  const tl::Scalars scalars{1};
  const tl::Attrs attrs{tl::attr("alpha", 1)};
  const DLTensor* const* in = inputs.data();
  DLTensor* const* out = outputs.data();
  const tileops_number* numbers = scalars.data();
  const tileops_attr* given = attrs.data();
  in = tl::Inputs{view}.data();                    // refused
  out = tl::Outputs{view}.data();                  // refused
  numbers = tl::Scalars{1}.data();                 // refused
  given = tl::Attrs{tl::attr("alpha", 1)}.data();  // refused
  a = tl::Input(view).get();                       // refused
  c = tl::Output(view).get();                      // refused
}

void handles_of_temporaries() {
  tl::Context context;
  tl::Expr expr("(x) -> x");
  tl::Plan plan(tl::Expr("(x) -> x"), {tl::View(x, {2})}, {tl::View(x, {2})}, context);
  tl::ExprBuilder builder;
  tl::Stream stream(tl::cpu, context);
  tileops_context* a = context;
  const tileops_expr* b = expr;
  tileops_plan* c = plan.get();
  tileops_builder* d = builder.get();
  void* e = stream;
  tileops_expr_info info = expr.describe();
  tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
  desc.expr = expr;
  a = tl::Context();                                  // refused
  a = tl::Context().get();                            // refused
  b = tl::Expr("(x) -> x");                           // refused
  b = tl::named_expression("softcap").get();          // refused
  desc.expr = tl::Expr("(x) -> x");                   // refused
  c = plan.retain().get();                            // refused
  d = tl::ExprBuilder().get();                        // refused
  e = tl::Stream(tl::cpu);                            // refused
  e = tl::Stream(tl::cpu).get();                      // refused
  tl::Stream short_lived(tl::cpu, tl::Context());     // refused
  info = tl::named_expression("softcap").describe();  // refused
}

void operands() {
  tl::View view(x, {2});
  std::vector<tl::ManagedTensor> tensors(2);
  std::vector<tl::View> views{view};
  const std::vector<tl::View> const_views{view};
  const tl::Inputs named{tl::View(x, {2}), nullptr, tensors[0]}, of_range(tensors), of_made = Made();
  const tl::Outputs results{tl::View(x, {2}), tensors[0]}, of_views(std::vector<tl::View>{view});
  const tl::Inputs gone{tl::ManagedTensor(tl::float32, {2})};             // refused
  const tl::Inputs all_gone(std::vector<tl::ManagedTensor>(2));           // refused
  const tl::Inputs moved(std::move(tensors));                             // refused
  const tl::Outputs gone_result{tl::ManagedTensor(tl::float32, {2})};     // refused
  const tl::Outputs all_gone_results(std::vector<tl::ManagedTensor>(2));  // refused
  const tl::Input gone_operand{tl::ManagedTensor(tl::float32, {2})};      // refused
  const tl::Outputs of_const(const_views);                                // refused

  const tileops_op relu = TILEOPS_OP_RELU;
  tl::run(relu, {tl::ManagedTensor(tl::float32, {2})}, views);
  tl::run(relu, tl::Inputs(Made()), {view});
  tl::run(relu, Made(), {view});                   // refused
  tl::run(relu, const_views, const_views);         // refused
  tl::run(relu, {view}, {tl::ConstView(x, {2})});  // refused
  const tl::detail::CallInputs& extended = {tl::View(x, {2})};
  const tl::detail::CallInput& operand = view;
  const tl::detail::CallInput call_operand = operand;  // refused
  tl::detail::CallInputs call_list = extended;         // refused
}

void numbers(const tl::Node& node) {
  const tl::Number number = 1;
  const tl::Dims dims{1, 2u, 3l, 4ull, short{5}};
  tl::Node sum = node + 1 + 2.0 + 3ull + true + 'a' + 4.0l;
  __extension__ typedef __int128 Wide;
  const tl::Number wide = Wide{1};                     // refused
  sum = sum + Wide{1};                                 // refused
  const tl::Number text = "1";                         // refused
  const tl::Dims wide_dims{Wide{1}};                   // refused
  const tl::Dims fraction{2.5};                        // refused
  const tl::Dims truth{true};                          // refused
  const tl::Dims of_text(std::string("23"));           // refused
  const tl::Dims of_floats(std::vector<float>{2, 3});  // refused
  const auto attr = tl::attr("alpha", Wide{1});        // refused
}
