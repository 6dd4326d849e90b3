#include "arrays/operands.h"

#include <cstring>
#include <string>
#include <vector>

#include "arrays/dtypes.h"
#include "errors.h"

namespace tileops_python {
namespace {

// What NumPy shows by __array_struct__, its PyArrayInterface.
struct ArrayInterface {
  int two;
  int ndim;
  char kind;
  int itemsize;
  int flags;
  Py_ssize_t* shape;
  Py_ssize_t* strides;
  void* data;
  PyObject* descr;
};
enum { kRowMajor = 0x1, kNativeOrder = 0x200, kWriteable = 0x400 };

[[noreturn]] void refuse(Place place, const char* what) {
  raise(invalid_argument(), "%s: %s: %s", place.function, place.argument, what);
}

// The element type of a letter of NumPy's, or of the struct module, and a size; code 255 if there is none.
DLDataType dtype_of_letter(char letter, Py_ssize_t size) {
  const auto bits = static_cast<uint8_t>(8 * size);
  switch (letter) {
    case 'f':
    case 'd':
    case 'e': return {kDLFloat, bits, 1};
    case 'i':
    case 'b':
    case 'h':
    case 'l':
    case 'q':
    case 'n': return {kDLInt, bits, 1};
    case 'u':
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N': return {kDLUInt, bits, 1};
    case '?': return {kDLBool, bits, 1};
  }
  return {255, bits, 1};
}

std::string module_of(PyTypeObject* type) {
  Owned module = Owned::of(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__module__"));
  return PyUnicode_Check(module.get()) ? utf8(module.get()) : "";
}

bool is_named(PyTypeObject* type, const char* module, const char* name) {
  Owned of = Owned::of(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__name__"));
  return std::strcmp(utf8(of.get()), name) == 0 && module_of(type) == module;
}

// Is there one of that name among a type's bases, or is it itself?
bool derives(PyTypeObject* type, const char* module, const char* name) {
  Owned order = Owned::of(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__mro__"));
  for (Py_ssize_t i = 0; i < PyTuple_Size(order.get()); ++i)
    if (is_named(reinterpret_cast<PyTypeObject*>(PyTuple_GetItem(order.get(), i)), module, name)) return true;
  return false;
}

bool has(PyTypeObject* type, const char* attribute) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject*>(type), attribute) != 0;
}

const DLPackExchangeAPI* exchange_api(PyTypeObject* type) {
  PyObject* found = PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__");
  if (!found) {
    PyErr_Clear();
    return nullptr;
  }
  Owned capsule = Owned::of(found);
  auto* api = static_cast<const DLPackExchangeAPI*>(PyCapsule_GetPointer(found, "dlpack_exchange_api"));
  if (!api) PyErr_Clear();
  return api && api->header.version.major == 1 && api->dltensor_from_py_object_no_sync ? api : nullptr;
}

ArrayType look_at(PyTypeObject* type, PyObject* object) {
  if (PyFloat_Check(object) || PyLong_Check(object)) return {type, Way::kNumber, nullptr};  // a bool is a long
  if (derives(type, "torch", "Tensor")) {
    const DLPackExchangeAPI* api = exchange_api(type);
    if (!is_named(type, "torch", "Tensor") && !is_named(type, "torch.nn.parameter", "Parameter"))
      return {type, Way::kSubclass, nullptr};
    return {type, api ? Way::kTorch : Way::kDlpack, api};
  }
  if (const DLPackExchangeAPI* api = exchange_api(type)) return {type, Way::kExchange, api};
  if (derives(type, "numpy", "generic")) return {type, Way::kNumpy, nullptr};
  if (derives(type, "numpy", "ndarray")) {
    const bool plain = is_named(type, "numpy", "ndarray") || is_named(type, "numpy", "memmap");
    return {type, plain ? Way::kNumpy : Way::kSubclass, nullptr};
  }
  if (has(type, "__dlpack__")) return {type, Way::kDlpack, nullptr};
  if (PyObject_CheckBuffer(object)) return {type, Way::kBuffer, nullptr};
  return {type, Way::kNone, nullptr};
}

}  // namespace

const ArrayType& array_type(PyObject* object) {
  static ArrayType last = {nullptr, Way::kNone, nullptr};
  static std::vector<ArrayType> types;
  PyTypeObject* type = Py_TYPE(object);
  if (type == last.type) return last;
  for (const ArrayType& known : types)
    if (known.type == type) return last = known;
  const ArrayType looked = look_at(type, object);
  if (types.size() < 64) {  // kept, so that no other type can come to lie at its address
    Py_INCREF(reinterpret_cast<PyObject*>(type));
    types.push_back(looked);
    return last = looked;
  }
  static ArrayType other;
  return other = looked;
}

void Operand::read(PyObject* object, const ArrayType& type, Access access, Place place, void* stream) {
  switch (type.way) {
    case Way::kNumpy: return read_numpy(object, access, place);
    case Way::kTorch:
    case Way::kExchange: return read_exchange(object, type, place);
    case Way::kDlpack: return read_dlpack(object, access, place, stream);
    case Way::kBuffer: return read_buffer(object, access, place);
    case Way::kNumber:
      if (access == Access::kRead) return read_number(object, place);
      break;
    case Way::kSubclass: {
      Owned name = Owned::of(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type.type), "__qualname__"));
      raise(PyExc_TypeError, "%s: %s: a %U may be more than its elements; pass a plain array of them", place.function,
            place.argument, name.get());
    }
    case Way::kNone: break;
  }
  Owned name = Owned::of(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object)), "__qualname__"));
  raise(PyExc_TypeError, "%s: %s: is no array%s (got %U)", place.function, place.argument,
        access == Access::kRead ? " or number" : "", name.get());
}

void Operand::read_number(PyObject* object, Place place) {
  tensor = {&number_, {kDLCPU, 0}, 0, {kDLInt, 64, 1}, nullptr, nullptr, 0};
  if (PyBool_Check(object)) {
    tensor.dtype = {kDLBool, 8, 1};
    number_ = object == Py_True;
  } else if (PyLong_Check(object)) {
    number_ = PyLong_AsLongLong(object);
    if (number_ == -1 && PyErr_Occurred()) refuse(place, "the integer does not fit int64");
  } else {
    tensor.dtype = {kDLFloat, 64, 1};
    const double value = PyFloat_AsDouble(object);
    std::memcpy(&number_, &value, sizeof value);
  }
}

void Operand::divide_strides(const Py_ssize_t* bytes, Py_ssize_t item, Place place) {
  for (int i = 0; i < tensor.ndim; ++i) {
    if (bytes[i] % item != 0) refuse(place, "a stride is no multiple of the element size");
    strides_[i] = bytes[i] / item;
  }
  tensor.strides = strides_;
}

void Operand::read_numpy(PyObject* object, Access access, Place place) {
  static PyObject* const attribute = interned("__array_struct__");
  keeper_ = Owned::of(PyObject_GetAttr(object, attribute));
  auto* array = static_cast<const ArrayInterface*>(PyCapsule_GetPointer(keeper_.get(), nullptr));
  if (!array) throw PythonError{};
  if (access == Access::kWrite && !(array->flags & kWriteable)) refuse(place, "is read-only");
  if (!(array->flags & kNativeOrder)) refuse(place, "its bytes are in another order than this machine's");
  if (array->ndim > TILEOPS_MAX_NDIM) refuse(place, "has more than 32 dimensions");
  tensor = {array->data, {kDLCPU, 0}, array->ndim, {0, 0, 1}, reinterpret_cast<int64_t*>(array->shape), nullptr, 0};
  if (array->kind == 'V' || (array->itemsize == 1 && array->kind == 'f')) {  // of ml_dtypes
    Owned dtype = Owned::of(PyObject_GetAttrString(object, "dtype"));
    if (!dtype_of_bytes(dtype.get(), &tensor.dtype))
      raise(PyExc_TypeError, "%s: %s: there is no element type %R", place.function, place.argument, dtype.get());
  } else {
    tensor.dtype = array->kind == 'b' ? DLDataType{kDLBool, 8, 1} : dtype_of_letter(array->kind, array->itemsize);
    if (tensor.dtype.code == 255) {
      Owned dtype = Owned::of(PyObject_GetAttrString(object, "dtype"));
      raise(PyExc_TypeError, "%s: %s: there is no element type %R", place.function, place.argument, dtype.get());
    }
  }
  if (!(array->flags & kRowMajor)) divide_strides(array->strides, array->itemsize, place);
}

void Operand::read_exchange(PyObject* object, const ArrayType& type, Place place) {
  if (type.way == Way::kTorch) {
    // The exchange API passes these on without a word, and with other elements than the tensor's. (Conjugates, which it
    // passes on as well, are complex, and so refused.)
    static PyObject* const requires_grad = interned("requires_grad");
    static PyObject* const is_neg = interned("is_neg");
    Owned needs = Owned::of(PyObject_GetAttr(object, requires_grad));
    if (needs.get() == Py_True) {
      Owned torch = Owned::of(PyImport_ImportModule("torch"));
      Owned enabled = Owned::of(PyObject_CallMethod(torch.get(), "is_grad_enabled", nullptr));
      if (enabled.get() == Py_True)
        refuse(place, "requires a gradient, which would be lost here: detach it, or call within torch.no_grad()");
    }
    Owned negative = Owned::of(PyObject_VectorcallMethod(is_neg, &object, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr));
    if (negative.get() == Py_True) refuse(place, "is a negative view: call resolve_neg()");
  }
  if (type.api->dltensor_from_py_object_no_sync(object, &tensor)) throw PythonError{};
}

void Operand::read_dlpack(PyObject* object, Access access, Place place, void* stream) {
  // JAX's arrays never change, which those of older versions do not say.
  if (access == Access::kWrite && module_of(Py_TYPE(object)).rfind("jax", 0) == 0) refuse(place, "is read-only");
  static PyObject* const export_name = interned("__dlpack__");
  static PyObject* const with_stream = Owned::of(Py_BuildValue("(ss)", "max_version", "stream")).release();
  static PyObject* const versioned = Owned::of(Py_BuildValue("(s)", "max_version")).release();
  static PyObject* const version = Owned::of(Py_BuildValue("(ii)", 1, 0)).release();
  Owned device = Owned::of(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
  const long kind = PyLong_AsLong(PyTuple_GetItem(device.get(), 0));
  const bool on_gpu = kind == kDLCUDA || kind == kDLCUDAManaged;
  // 1 is the legacy default stream, which NULL is to the library.
  Owned number = Owned::of(PyLong_FromSize_t(stream ? reinterpret_cast<size_t>(stream) : 1));
  PyObject* arguments[] = {object, version, number.get()};
  PyObject* made = PyObject_VectorcallMethod(export_name, arguments, 1, on_gpu ? with_stream : versioned);
  if (!made && PyErr_ExceptionMatches(PyExc_TypeError)) {  // from before DLPack 1.0
    PyErr_Clear();
    Owned method = Owned::of(PyObject_GetAttr(object, export_name));
    Owned none = Owned::of(PyTuple_New(0));
    Owned named = on_gpu ? Owned::of(Py_BuildValue("{sO}", "stream", number.get())) : Owned();
    made = PyObject_Call(method.get(), none.get(), named.get());
  }
  keeper_ = Owned::of(made);  // a capsule that nobody takes over frees what it holds
  if (PyCapsule_IsValid(made, "dltensor_versioned")) {
    auto* managed = static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(made, "dltensor_versioned"));
    if (managed->version.major != 1) refuse(place, "comes by another major version of DLPack");
    if (access == Access::kWrite && (managed->flags & DLPACK_FLAG_BITMASK_READ_ONLY)) refuse(place, "is read-only");
    tensor = managed->dl_tensor;
  } else {
    auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(made, "dltensor"));
    if (!managed) throw PythonError{};
    tensor = managed->dl_tensor;
  }
}

void Operand::read_buffer(PyObject* object, Access access, Place place) {
  auto made = std::make_unique<Py_buffer>();
  const int flags = PyBUF_STRIDES | PyBUF_FORMAT | (access == Access::kWrite ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object, made.get(), flags)) {
    PyErr_Clear();
    refuse(place, access == Access::kWrite ? "is read-only" : "its buffer cannot be read in place");
  }
  buffer_.reset(made.release());
  const Py_buffer& buffer = *buffer_;
  const char* format = buffer.format ? buffer.format : "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (buffer.ndim > TILEOPS_MAX_NDIM) refuse(place, "has more than 32 dimensions");
  tensor = {buffer.buf, {kDLCPU, 0}, buffer.ndim, {255, 0, 1}, reinterpret_cast<int64_t*>(buffer.shape), nullptr, 0};
  if (format[1] == '\0' && format[0] != 'u') tensor.dtype = dtype_of_letter(*format, buffer.itemsize);
  if (tensor.dtype.code == 255)
    raise(PyExc_TypeError, "%s: %s: a buffer of format '%s' has no element type", place.function, place.argument,
          buffer.format);
  divide_strides(buffer.strides, buffer.itemsize, place);
}

}  // namespace tileops_python
