// libtileops._core: what the package is made of, without a header of NumPy, torch, JAX or CUDA.
#include <tileops/tileops.h>

#include "arrays/results.h"
#include "errors.h"
#include "frameworks/jax.h"
#include "functions.h"
#include "python.h"

namespace tileops_python {
namespace {

void append(PyObject* list, const char* text) {
  Owned string = Owned::of(PyUnicode_FromString(text));
  if (PyList_Append(list, string.get())) throw PythonError{};
}

// function(name): the operator or the named expression; KeyError if there is none.
PyObject* function(PyObject*, PyObject* name) {
  return guarded([&] {
    if (!PyUnicode_Check(name)) raise(PyExc_TypeError, "a name is a string (got %R)", name);
    Owned found = function_named(utf8(name));
    if (!found) {
      PyErr_SetObject(PyExc_KeyError, name);
      throw PythonError{};
    }
    return found;
  });
}

// names(): those of the operators, and those of the named expressions.
PyObject* names(PyObject*, PyObject*) {
  return guarded([&] {
    Owned operators = Owned::of(PyList_New(0)), expressions = Owned::of(PyList_New(0));
    for (size_t i = 0; i < tileops_op_count(); ++i) {
      tileops_op_info info = TILEOPS_OP_INFO_INIT;
      check(tileops_op_describe(tileops_op_at(i), &info));
      append(operators.get(), info.name);
    }
    for (size_t i = 0; i < tileops_expr_named_count(); ++i) {
      tileops_named_expr_info info = TILEOPS_NAMED_EXPR_INFO_INIT;
      check(tileops_expr_named_at(i, &info));
      append(expressions.get(), info.name);
    }
    return Owned::of(PyTuple_Pack(2, operators.get(), expressions.get()));
  });
}

PyObject* build_info(PyObject*, PyObject*) { return PyUnicode_FromString(tileops_build_info()); }

PyObject* target(PyObject*, PyObject* gpu) {
  return guarded([=] { return xla_target(gpu == Py_True); });
}

// set_pack_dirs(folders): before the first plan.
PyObject* pack_dirs(PyObject*, PyObject* folders) {
  return guarded([=] {
    if (!PyUnicode_Check(folders)) raise(PyExc_TypeError, "folders are a string (got %R)", folders);
    set_pack_dirs(utf8(folders));
    return Owned::share(Py_None);
  });
}

PyMethodDef methods[] = {
    {"function", function, METH_O, "The operator or the named expression of a name."},
    {"set_pack_dirs", pack_dirs, METH_O, nullptr},
    {"names", names, METH_NOARGS, "Names of the operators, and of the named expressions."},
    {"build_info", build_info, METH_NOARGS, "Version, compiler and instruction sets of the library, in one line."},
    {"xla_target", target, METH_O, "The function that XLA calls; True: for GPUs, else for the CPU."},
    {}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "libtileops._core", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};

Owned make_module() {
  Owned module = Owned::of(PyModule_Create(&definition));
  // While the major version is 0 every minor version may change structs.
  if (tileops_version() / 100 != TILEOPS_VERSION / 100)
    raise(PyExc_ImportError, "libtileops.so is version %s, this package was made for %d.%d", tileops_version_string(),
          TILEOPS_VERSION_MAJOR, TILEOPS_VERSION_MINOR);
  add_errors(module.get());
  add_handover(module.get());
  add_functions(module.get());
  if (PyModule_AddStringConstant(module.get(), "version", tileops_version_string())) throw PythonError{};
  return module;
}

}  // namespace
}  // namespace tileops_python

PyMODINIT_FUNC PyInit__core() {
  return tileops_python::guarded([] { return tileops_python::make_module(); });
}
