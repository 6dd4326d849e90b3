#include "errors.h"

#include <algorithm>
#include <cstdlib>

#include "program.h"

namespace tileops_python {
namespace {

PyObject* error;
PyObject* invalid;
PyObject* unsupported;
PyObject* device_error;
PyObject* out_of_memory;

PyObject* add_error(PyObject* module, const char* name, const char* doc, PyObject* builtin, tileops_status status) {
  const std::string full = std::string("libtileops.") + name;
  Owned bases = error ? Owned::of(PyTuple_Pack(2, error, builtin)) : Owned::share(builtin);
  PyObject* made = Owned::of(PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.get(), nullptr)).release();
  Owned code = Owned::of(PyUnicode_FromString(tileops_status_name(status)));  // of what the binding itself refuses
  if (PyObject_SetAttrString(made, "status", code.get()) || PyModule_AddObjectRef(module, name, made))
    throw PythonError{};
  return made;
}

PyObject* class_of(tileops_status status) {
  switch (status) {
    case TILEOPS_STATUS_INVALID_ARGUMENT: return invalid;
    case TILEOPS_STATUS_UNSUPPORTED: return unsupported;
    case TILEOPS_STATUS_OUT_OF_MEMORY: return out_of_memory;
    case TILEOPS_STATUS_DEVICE:
    case TILEOPS_STATUS_NO_DEVICE:
    case TILEOPS_STATUS_COMPILE: return device_error;
  }
  return error;
}

// Reads "inputs[2]" at the front of a text and removes it there. Returns false if the text does not begin with one.
bool take_index(std::string_view* text, std::string_view array, size_t* index) {
  if (text->substr(0, array.size()) != array || text->substr(array.size(), 1) != "[") return false;
  const size_t close = text->find(']');
  if (close == std::string_view::npos) return false;
  *index = std::strtoul(text->data() + array.size() + 1, nullptr, 10);
  text->remove_prefix(close + 1);
  return true;
}

// Puts the operand's name for "inputs[0]" within a message.
std::string name_inputs(std::string text, const Program& program) {
  for (size_t at = text.find("inputs["); at != std::string::npos; at = text.find("inputs[", at + 1)) {
    std::string_view rest = std::string_view(text).substr(at);
    size_t index = 0;
    if (!take_index(&rest, "inputs", &index) || index >= program.operands().size()) continue;
    text.replace(at, text.size() - at - rest.size(), program.operands()[index].text);
  }
  return text;
}

// "tileops_plan_infer: inputs[1]: ..." as "add: b: ...".
std::string with_names(std::string_view text, const Program* program) {
  if (text.substr(0, 8) == "tileops_") text.remove_prefix(std::min(text.find(": ") + 2, text.size()));
  if (!program) return std::string(text);
  size_t index = 0;
  std::string front = program->name() + ": ";
  if (take_index(&text, "inputs", &index) && index < program->operands().size()) {
    front += program->operands()[index].text;
  } else if (take_index(&text, "outputs", &index) && index < program->results().size()) {
    front += "result " + program->results()[index].text;
  } else if (take_index(&text, "attrs", &index) || take_index(&text, "scalars", &index)) {
    text.remove_prefix(std::min<size_t>(2, text.size()));  // what follows names it
  }
  return front + name_inputs(std::string(text), *program);
}

}  // namespace

void add_errors(PyObject* module) {
  error = add_error(module, "Error", "What the library refuses or cannot do; `status` is the name of its code.",
                    PyExc_Exception, TILEOPS_STATUS_INTERNAL);
  invalid = add_error(module, "InvalidArgument", "A shape, a stride, an overlap, an attribute that cannot be.",
                      PyExc_ValueError, TILEOPS_STATUS_INVALID_ARGUMENT);
  unsupported = add_error(module, "Unsupported", "An element type or a device that this function does not take.",
                          PyExc_TypeError, TILEOPS_STATUS_UNSUPPORTED);
  device_error = add_error(module, "DeviceError", "A device, its driver or its compiler failed, or is not there.",
                           PyExc_RuntimeError, TILEOPS_STATUS_DEVICE);
  out_of_memory = add_error(module, "OutOfMemory", "Memory of the host or of a device is used up.", PyExc_MemoryError,
                            TILEOPS_STATUS_OUT_OF_MEMORY);
}

PyObject* invalid_argument() { return invalid; }

void fail(tileops_status status, const Program* program) {
  throw Failure{status, with_names(tileops_last_error(), program)};
}

void set_error(const Failure& failure) {
  PyObject* type = class_of(failure.status);
  PyObject* exception = PyObject_CallFunction(type, "s", failure.text.c_str());
  if (!exception) return;  // with that error instead
  PyObject* name = PyUnicode_FromString(tileops_status_name(failure.status));
  if (name && PyObject_SetAttrString(exception, "status", name) == 0) PyErr_SetObject(type, exception);
  Py_XDECREF(name);
  Py_DECREF(exception);
}

void raise_syntax(tileops_status status, std::string_view text) {
  const int32_t offset = tileops_last_error_offset();
  if (offset < 0 || static_cast<size_t>(offset) > text.size()) fail(status, nullptr);
  std::string message = tileops_last_error();
  message = message.substr(0, message.find('\n'));
  for (const char* front : {"tileops_expr_parse: ", "text: ", "byte "})
    if (message.rfind(front, 0) == 0) message.erase(0, std::string_view(front).size());
  message.erase(0, message.find(": ") + 2);  // behind the place, which the exception shows

  const size_t place = static_cast<size_t>(offset);
  const size_t begin = place == 0 ? 0 : text.rfind('\n', place - 1) + 1;  // npos + 1 is 0
  const size_t end = std::min(text.find('\n', begin), text.size());
  const long line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(begin), '\n');
  const std::string shown(text.substr(begin, end - begin));
  Owned arguments = Owned::of(Py_BuildValue("(s(slls))", message.c_str(), "<tileops>", line,
                                            static_cast<long>(place - begin) + 1, shown.c_str()));
  PyErr_SetObject(PyExc_SyntaxError, arguments.get());
  throw PythonError{};
}

}  // namespace tileops_python
