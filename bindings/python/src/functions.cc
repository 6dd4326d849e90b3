#include "functions.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "arrays/dtypes.h"
#include "call/call.h"
#include "call/foreach.h"
#include "errors.h"
#include "frameworks/jax.h"
#include "frameworks/torch.h"
#include "nodes.h"
#include "program.h"

namespace tileops_python {
namespace {

// An Expr, an Operator, or a Plan, which has an entry besides.
struct Function {
  PyObject_HEAD vectorcallfunc vectorcall;
  std::shared_ptr<const Program> program;
  std::shared_ptr<const Entry> entry;
};
PyTypeObject *expr_type, *operator_type, *plan_type;

const Function& self_of(PyObject* self) { return *reinterpret_cast<const Function*>(self); }

PyObject* vectorcall(PyObject* self, PyObject* const* arguments, size_t nargsf, PyObject* keywords) {
  const Function& function = self_of(self);
  return guarded([&] { return call(*function.program, function.entry.get(), arguments, nargsf, keywords); });
}

Owned make(PyTypeObject* type, std::shared_ptr<const Program> program, std::shared_ptr<const Entry> entry = nullptr) {
  Owned made = Owned::of(PyType_GenericAlloc(type, 0));
  auto* function = reinterpret_cast<Function*>(made.get());
  function->vectorcall = vectorcall;
  new (&function->program) std::shared_ptr<const Program>(std::move(program));
  new (&function->entry) std::shared_ptr<const Entry>(std::move(entry));
  return made;
}

void dealloc(PyObject* self) {
  auto* function = reinterpret_cast<Function*>(self);
  function->program.~shared_ptr();
  function->entry.~shared_ptr();
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

Owned string(const std::string& text) {
  return Owned::of(PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

Owned names_of(const std::vector<Name>& names) {
  Owned tuple = Owned::of(PyTuple_New(static_cast<Py_ssize_t>(names.size())));
  for (size_t i = 0; i < names.size(); ++i)
    if (PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), string(names[i].text).release())) throw PythonError{};
  return tuple;
}

// A getter of a property.
template <auto kBody>
PyObject* get(PyObject* self, void*) {
  return guarded([&] { return kBody(self_of(self)); });
}

Owned get_name(const Function& f) { return string(f.program->name()); }
Owned get_doc(const Function& f) { return string(f.program->doc()); }
Owned get_operands(const Function& f) { return names_of(f.program->operands()); }
Owned get_results(const Function& f) { return names_of(f.program->results()); }
Owned get_numbers(const Function& f) { return names_of(f.program->numbers()); }
Owned get_text(const Function& f) { return string(text_of(f.program->expr())); }
Owned get_nodes(const Function& f) { return nodes_of(*f.program); }
Owned get_signature(const Function& f) { return string(f.program->signature()); }

Owned get_scalars(const Function& f) {
  Owned dict = Owned::of(PyDict_New());
  const tileops_expr_info& info = f.program->expr_info();
  for (int i = 0; i < info.num_scalars; ++i) {
    const tileops_number& n = info.scalars[i].default_value;
    Owned value = Owned::of(n.kind == TILEOPS_NUMBER_F64 ? PyFloat_FromDouble(n.value.f64)
                                                         : PyLong_FromLongLong(n.value.i64));
    if (PyDict_SetItemString(dict.get(), info.scalars[i].name, value.get())) throw PythonError{};
  }
  return dict;
}

PyObject* repr(PyObject* self) {
  return guarded([&] {
    const Function& f = self_of(self);
    const char* kind = f.entry ? "plan" : f.program->expr() ? "expression" : "operator";
    return string("<libtileops " + std::string(kind) + " " + f.program->signature() + ">");
  });
}

PyObject* foreach (PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject * keywords) {
  return guarded(
      [&] { return call_for_each(*self_of(self).program, arguments, static_cast<size_t>(count), keywords); });
}

// ------------------------------------------------------------------ plans ------------------

// _plan(flags, *operands, **named): the plan that the call with these arguments would have.
PyObject* plan(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    const Function& f = self_of(self);
    const long flags = count > 0 ? PyLong_AsLong(arguments[0]) : -1;
    if (flags < 0) raise(PyExc_TypeError, "_plan takes flags first");
    return make(
        plan_type, f.program,
        plan_for(*f.program, arguments + 1, static_cast<size_t>(count - 1), keywords, static_cast<uint32_t>(flags)));
  });
}

Owned property(const Function& f, tileops_plan_prop prop) {
  size_t size = 0;
  check(tileops_plan_query(f.entry->plan, prop, nullptr, &size));
  std::string value(size, '\0');
  check(tileops_plan_query(f.entry->plan, prop, value.data(), &size));
  return string(value.c_str());
}

Owned get_layouts(const Function& f) {
  Owned list = Owned::of(PyList_New(0));
  for (const Layout& layout : f.entry->results) {
    Owned shape = tuple_of(layout.shape, layout.ndim);
    Owned row = Owned::of(Py_BuildValue("(sO)", dtype_name(layout.dtype), shape.get()));
    if (PyList_Append(list.get(), row.get())) throw PythonError{};
  }
  return Owned::of(PyList_AsTuple(list.get()));
}

Owned get_workspace(const Function& f) { return Owned::of(PyLong_FromUnsignedLongLong(f.entry->workspace_bytes)); }
Owned get_bytes(const Function& f) { return Owned::of(PyLong_FromUnsignedLongLong(f.entry->bytes_moved)); }
Owned get_strategy(const Function& f) { return property(f, TILEOPS_PLAN_STRATEGY); }
Owned get_kernel(const Function& f) { return property(f, TILEOPS_PLAN_KERNEL_NAME); }
Owned get_origin(const Function& f) { return property(f, TILEOPS_PLAN_CACHE_ORIGIN); }
Owned get_source(const Function& f) { return property(f, TILEOPS_PLAN_SOURCE); }

// ------------------------------------------------------------------ expressions ------------

PyObject* expr_new(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* names[] = {"text", nullptr};
    PyObject* text = nullptr;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "U", const_cast<char**>(names), &text)) throw PythonError{};
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (!bytes) throw PythonError{};
    return make(type, Program::parse({bytes, static_cast<size_t>(size)}));
  });
}

// gradient(*names): with respect to these operands, or to all.
PyObject* gradient(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    const Program& program = *self_of(self).program;
    std::vector<int32_t> operands;
    const Py_ssize_t count = PyTuple_Size(arguments);
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* given = PyTuple_GetItem(arguments, i);
      size_t k = PyUnicode_Check(given) ? 0 : program.operands().size();
      while (k < program.operands().size() && program.operands()[k].text != utf8(given)) ++k;
      if (k == program.operands().size())
        raise(invalid_argument(), "%s: there is no operand %R", program.name().c_str(), given);
      operands.push_back(static_cast<int32_t>(k));
    }
    for (size_t k = 0; count == 0 && k < program.operands().size(); ++k) operands.push_back(static_cast<int32_t>(k));
    tileops_expr* made = nullptr;
    check(tileops_expr_gradient(program.expr(), operands.data(), operands.size(), &made), &program);
    return make(expr_type, Program::of_expr(made, "gradient of " + program.name(), ""));
  });
}

PyObject* expr_reduce(PyObject* self, PyObject*) {
  return guarded([&] {
    Owned text = get_text(self_of(self));
    return Owned::of(Py_BuildValue("(O(O))", reinterpret_cast<PyObject*>(expr_type), text.get()));
  });
}

// _infer((dtype, shape) of each operand): the same of each result.
PyObject* infer(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    const Program& program = *self_of(self).program;
    const Py_ssize_t count = PyTuple_Size(arguments);
    if (count > static_cast<Py_ssize_t>(program.operands().size())) raise(PyExc_TypeError, "_infer: too many operands");
    std::vector<Layout> operands(static_cast<size_t>(count));
    std::vector<tileops_tensor_desc> descs;
    for (Py_ssize_t i = 0; i < count; ++i) {
      Layout& layout = operands[static_cast<size_t>(i)];
      PyObject *dtype = nullptr, *shape = nullptr;
      if (!PyArg_ParseTuple(PyTuple_GetItem(arguments, i), "OO!", &dtype, &PyTuple_Type, &shape)) throw PythonError{};
      layout.dtype = dtype_from(dtype);
      layout.ndim = static_cast<int32_t>(PyTuple_Size(shape));
      if (layout.ndim > TILEOPS_MAX_NDIM) raise(invalid_argument(), "_infer: more than 32 dimensions");
      for (int k = 0; k < layout.ndim; ++k) layout.shape[k] = PyLong_AsLongLong(PyTuple_GetItem(shape, k));
      if (PyErr_Occurred()) throw PythonError{};
      descs.push_back({layout.dtype, layout.ndim, layout.shape, nullptr});
    }
    tileops_plan_desc desc = TILEOPS_PLAN_DESC_INIT;
    desc.expr = program.expr(), desc.num_inputs = static_cast<int32_t>(count), desc.inputs = descs.data();
    desc.device = {kDLCPU, 0};
    const size_t results = program.results().size();
    Owned made = Owned::of(PyTuple_New(static_cast<Py_ssize_t>(results)));
    for (size_t i = 0; i < results; ++i) {
      Layout layout;
      check(tileops_plan_infer(&desc, i, &layout.dtype, &layout.ndim, layout.shape), &program);
      Owned shape = tuple_of(layout.shape, layout.ndim);
      Owned row = Owned::of(Py_BuildValue("(sO)", dtype_name(layout.dtype), shape.get()));
      if (PyTuple_SetItem(made.get(), static_cast<Py_ssize_t>(i), row.release())) throw PythonError{};
    }
    return made;
  });
}

// _define_torch(name, schema): an operator of torch's of this expression, with plans of its own.
PyObject* define_torch(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    const Program& program = *self_of(self).program;
    const char *name = nullptr, *schema = nullptr;
    if (!PyArg_ParseTuple(arguments, "ss", &name, &schema)) throw PythonError{};
    if (program.stores_parts())
      raise(invalid_argument(), "%s: stores parts of a result, and one of torch's operators makes its results",
            program.name().c_str());
    check(tileops_expr_retain(program.expr()));
    define_torch_operator(name, schema, Program::of_expr(program.expr(), program.name(), program.doc()));
    return Owned::share(Py_None);
  });
}

// _define_jax(): makes the expression known to what XLA calls.
PyObject* define_jax(PyObject* self, PyObject*) {
  return guarded([&] {
    const Program& program = *self_of(self).program;
    if (program.stores_parts())
      raise(invalid_argument(), "%s: stores parts of a result, and XLA makes its results", program.name().c_str());
    check(tileops_expr_retain(program.expr()));
    define_for_xla(text_of(program.expr()), Program::of_expr(program.expr(), program.name(), program.doc()));
    return Owned::share(Py_None);
  });
}

PyCFunction method(PyObject* (*body)(PyObject*, PyObject* const*, Py_ssize_t, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(body));
}

PyTypeObject* add_type(PyObject* module, const char* name, const char* full, std::vector<PyGetSetDef> getters,
                       std::vector<PyMethodDef> methods, newfunc create) {
  for (PyGetSetDef each :
       std::initializer_list<PyGetSetDef>{{"__name__", get<get_name>, nullptr, nullptr, nullptr},
                                          {"__doc__", get<get_doc>, nullptr, nullptr, nullptr},
                                          {"operands", get<get_operands>, nullptr, "Names of the operands.", nullptr},
                                          {"results", get<get_results>, nullptr, "Names of the results.", nullptr},
                                          {"signature", get<get_signature>, nullptr, "How it is called.", nullptr},
                                          {}})
    getters.push_back(each);
  methods.push_back({});
  static const PyMemberDef members[] = {
      {"__vectorcalloffset__", Py_T_PYSSIZET, offsetof(Function, vectorcall), Py_READONLY, nullptr}, {}};
  std::vector<PyType_Slot> slots = {{Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                                    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                                    {Py_tp_repr, reinterpret_cast<void*>(repr)},
                                    {Py_tp_members, const_cast<PyMemberDef*>(members)},
                                    // Types live as long as the process, and so do their tables.
                                    {Py_tp_getset, (new std::vector<PyGetSetDef>(std::move(getters)))->data()},
                                    {Py_tp_methods, (new std::vector<PyMethodDef>(std::move(methods)))->data()}};
  unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_IMMUTABLETYPE;
  if (create) slots.push_back({Py_tp_new, reinterpret_cast<void*>(create)});
  else flags |= Py_TPFLAGS_DISALLOW_INSTANTIATION;
  slots.push_back({0, nullptr});
  PyType_Spec spec = {full, sizeof(Function), 0, flags, slots.data()};
  Owned type = Owned::of(PyType_FromModuleAndSpec(module, &spec, nullptr));
  if (PyModule_AddObjectRef(module, name, type.get())) throw PythonError{};
  return reinterpret_cast<PyTypeObject*>(type.release());
}

}  // namespace

void add_functions(PyObject* module) {
  const PyMethodDef plan_method = {"_plan", method(plan), METH_FASTCALL | METH_KEYWORDS, nullptr};
  const PyMethodDef foreach_method = {"foreach", method(foreach), METH_FASTCALL | METH_KEYWORDS,
                                      "Computes the same for each element of lists of arrays, by one call."};
  expr_type = add_type(module, "Expr", "libtileops.Expr",
                       {{"text", get<get_text>, nullptr, "The canonical text.", nullptr},
                        {"scalars", get<get_scalars>, nullptr, "Names and defaults of the scalars.", nullptr},
                        {"_nodes", get<get_nodes>, nullptr, nullptr, nullptr}},
                       {plan_method,
                        foreach_method,
                        {"gradient", gradient, METH_VARARGS, "The gradient with respect to operands, an Expr itself."},
                        {"_infer", infer, METH_VARARGS, nullptr},
                        {"_define_torch", define_torch, METH_VARARGS, nullptr},
                        {"_define_jax", define_jax, METH_NOARGS, nullptr},
                        {"__reduce__", expr_reduce, METH_NOARGS, nullptr}},
                       expr_new);
  operator_type = add_type(module, "Operator", "libtileops.Operator",
                           {{"attributes", get<get_numbers>, nullptr, "Names of the attributes.", nullptr}},
                           {plan_method, foreach_method}, nullptr);
  plan_type = add_type(
      module, "Plan", "libtileops.Plan",
      {{"layouts", get<get_layouts>, nullptr, "Dtype and shape of each result.", nullptr},
       {"workspace_bytes", get<get_workspace>, nullptr, "Memory that a call takes besides.", nullptr},
       {"bytes_moved", get<get_bytes>, nullptr, "Bytes that a call reads and writes.", nullptr},
       {"strategy", get<get_strategy>, nullptr, "How the work is cut.", nullptr},
       {"kernel", get<get_kernel>, nullptr, "Body, compute type and layout.", nullptr},
       {"origin", get<get_origin>, nullptr, "Where the kernel came from.", nullptr},
       {"source", get<get_source>, nullptr, "What is done, for people; CUDA: the kernel's source.", nullptr}},
      {}, nullptr);
}

Owned function_named(const char* name) {
  if (const tileops_op op = tileops_op_from_name(name)) return make(operator_type, Program::of_operator(op));
  for (size_t i = 0; i < tileops_expr_named_count(); ++i) {
    tileops_named_expr_info info = TILEOPS_NAMED_EXPR_INFO_INIT;
    check(tileops_expr_named_at(i, &info));
    if (std::strcmp(info.name, name) != 0) continue;
    tileops_expr* expr = nullptr;
    check(tileops_expr_named(name, &expr));
    return make(expr_type, Program::of_expr(expr, name, std::string(info.doc) + ".\n\n    " + info.text));
  }
  return Owned();
}

}  // namespace tileops_python
