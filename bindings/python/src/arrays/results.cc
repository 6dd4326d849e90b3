#include "arrays/results.h"

#include <cstdlib>
#include <cstring>
#include <memory>

#include "arrays/dtypes.h"
#include "errors.h"

namespace tileops_python {
namespace {

void allocator_failed(void*, const char* kind, const char* message) {
  PyErr_Format(PyExc_RuntimeError, "%s: %s", kind, message);
}

// `from_dlpack` of the module that an array is of.
Owned from_dlpack_of(PyObject* example, const char* function) {
  Owned space;
  if (PyObject* found = PyObject_CallMethod(example, "__array_namespace__", nullptr)) {
    space = Owned::of(found);
  } else {
    PyErr_Clear();
    Owned name = Owned::of(PyObject_GetAttrString(reinterpret_cast<PyObject*>(Py_TYPE(example)), "__module__"));
    const char* text = utf8(name.get());
    const char* dot = std::strchr(text, '.');
    Owned top = Owned::of(
        PyUnicode_FromStringAndSize(text, dot ? dot - text : static_cast<Py_ssize_t>(std::strlen(text))));
    space = Owned::of(PyImport_Import(top.get()));
  }
  PyObject* made = PyObject_GetAttrString(space.get(), "from_dlpack");
  if (!made) {
    PyErr_Clear();
    raise(PyExc_TypeError, "%s: %R has no from_dlpack to make a result with: give an array by out=", function,
          space.get());
  }
  return Owned::of(made);
}

// A result of the library's own memory on its way to another library, which takes it over by DLPack, once.
struct Handover {
  PyObject_HEAD DLManagedTensorVersioned* managed;
};
PyTypeObject* handover_type;

void free_versioned(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) return;  // taken over, and renamed
  auto* managed = static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
  managed->deleter(managed);
}

void free_unversioned(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  managed->deleter(managed);
}

// For who knows nothing of DLPack 1.0.
DLManagedTensor* unversioned(DLManagedTensorVersioned* managed) {
  auto* made = new DLManagedTensor;
  made->dl_tensor = managed->dl_tensor;
  made->manager_ctx = managed;
  made->deleter = [](DLManagedTensor* self) {
    auto* inner = static_cast<DLManagedTensorVersioned*>(self->manager_ctx);
    inner->deleter(inner);
    delete self;
  };
  return made;
}

PyObject* handover_dlpack(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
    PyObject *stream = nullptr, *version = nullptr, *device = nullptr, *copy = nullptr;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO", const_cast<char**>(names), &stream, &version,
                                     &device, &copy))
      throw PythonError{};
    auto* handover = reinterpret_cast<Handover*>(self);
    if (!handover->managed) raise(PyExc_BufferError, "this result was handed over already");
    const bool versioned = version && PyTuple_Check(version) && PyLong_AsLong(PyTuple_GetItem(version, 0)) >= 1;
    DLManagedTensorVersioned* managed = std::exchange(handover->managed, nullptr);
    if (versioned) return Owned::of(PyCapsule_New(managed, "dltensor_versioned", free_versioned));
    return Owned::of(PyCapsule_New(unversioned(managed), "dltensor", free_unversioned));
  });
}

PyObject* handover_device(PyObject* self, PyObject*) {
  const auto* managed = reinterpret_cast<Handover*>(self)->managed;
  const DLDevice device = managed ? managed->dl_tensor.device : DLDevice{kDLCPU, 0};
  return Py_BuildValue("(ii)", static_cast<int>(device.device_type), device.device_id);
}

void handover_dealloc(PyObject* self) {
  if (auto* managed = reinterpret_cast<Handover*>(self)->managed) managed->deleter(managed);
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(reinterpret_cast<PyObject*>(type));
}

Owned handover_of(const Layout& layout, DLDevice device, DLTensor* tensor) {
  Owned made = Owned::of(PyType_GenericAlloc(handover_type, 0));
  auto* handover = reinterpret_cast<Handover*>(made.get());
  check(tileops_tensor_alloc(nullptr, device, layout.dtype, layout.ndim, layout.shape, &handover->managed));
  *tensor = handover->managed->dl_tensor;
  return made;
}

}  // namespace

void add_handover(PyObject* module) {
  static PyMethodDef methods[] = {
      {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(handover_dlpack)),
       METH_VARARGS | METH_KEYWORDS, nullptr},
      {"__dlpack_device__", handover_device, METH_NOARGS, nullptr},
      {}};
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void*>(handover_dealloc)}, {Py_tp_methods, methods}, {0, nullptr}};
  static PyType_Spec spec = {"libtileops._core.Handover", sizeof(Handover), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  handover_type = reinterpret_cast<PyTypeObject*>(
      Owned::of(PyType_FromModuleAndSpec(module, &spec, nullptr)).release());
}

ResultMaker::ResultMaker(const ArrayType* type, PyObject* example, const char* function)
    : way_(type ? type->way : Way::kNumpy), api_(type ? type->api : nullptr), function_(function) {
  if (way_ == Way::kBuffer) way_ = Way::kNumpy;
  if (way_ == Way::kDlpack) from_dlpack_ = from_dlpack_of(example, function);
}

Result ResultMaker::make(const Layout& layout, DLDevice device) const {
  Result made;
  DLTensor wanted = {nullptr, device, layout.ndim, layout.dtype, const_cast<int64_t*>(layout.shape), nullptr, 0};
  if (api_) {
    int64_t pairs[TILEOPS_MAX_NDIM];
    DLTensor like = wanted;
    if (layout.dtype.bits < 8) {  // two elements in a byte: torch counts pairs
      std::memcpy(pairs, layout.shape, sizeof pairs);
      pairs[layout.ndim - 1] /= 2;
      like.shape = pairs;
      like.dtype.lanes = 2;
    }
    DLManagedTensorVersioned* managed = nullptr;
    if (api_->managed_tensor_allocator(&like, &managed, nullptr, allocator_failed)) throw PythonError{};
    wanted.data = static_cast<char*>(managed->dl_tensor.data) + managed->dl_tensor.byte_offset;
    void* object = nullptr;
    if (api_->managed_tensor_to_py_object_no_sync(managed, &object)) throw PythonError{};
    made.object = Owned::of(static_cast<PyObject*>(object));
  } else if (way_ == Way::kDlpack) {
    DLTensor own;
    made.object = handover_of(layout, device, &own);
    wanted.data = static_cast<char*>(own.data) + own.byte_offset;
  } else {
    static PyObject* const empty = Owned::of(PyObject_GetAttrString(numpy(), "empty")).release();
    int64_t extents[TILEOPS_MAX_NDIM];
    std::memcpy(extents, layout.shape, sizeof(int64_t) * static_cast<size_t>(layout.ndim));
    if (layout.dtype.bits < 8) extents[layout.ndim - 1] /= 2;
    const Owned shape = tuple_of(extents, layout.ndim);
    PyObject* arguments[] = {shape.get(), numpy_dtype(layout.dtype)};
    made.object = Owned::of(PyObject_Vectorcall(empty, arguments, 2, nullptr));
    static const ArrayType numpy_type = {nullptr, Way::kNumpy, nullptr};
    const Operand view(made.object.get(), numpy_type, Access::kWrite, {function_, "result"}, nullptr);
    wanted.data = view.tensor.data;
  }
  made.tensor = wanted;
  return made;
}

Owned ResultMaker::finish(Result&& result, void* stream) const {
  if (way_ != Way::kDlpack) return std::move(result.object);
  const DLDevice device = result.tensor.device;
  if (device.device_type != kDLCPU)
    check(tileops_stream_synchronize(nullptr, device, stream));  // nobody else knows when it is done
  PyObject* argument = result.object.get();
  return Owned::of(PyObject_Vectorcall(from_dlpack_.get(), &argument, 1, nullptr));
}

void* ResultMaker::stream(DLDevice device) const {
  void* stream = nullptr;
  if (device.device_type != kDLCPU && api_ && api_->current_work_stream &&
      api_->current_work_stream(device.device_type, device.device_id, &stream))
    throw PythonError{};
  return stream;
}

Result device_memory(uint64_t bytes, DLDevice device, const ArrayType* type, PyObject* example, const char* function) {
  if (bytes == 0 || device.device_type == kDLCPU || !type || !type->api) return {};
  Layout layout;
  layout.dtype = {kDLUInt, 8, 1}, layout.ndim = 1, layout.shape[0] = static_cast<int64_t>(bytes);
  return ResultMaker(type, example, function).make(layout, device);
}

Workspace::Workspace(const Entry& entry, uint64_t bytes, void* stream) : stream_(stream) {
  if (bytes == 0) return;
  if (entry.device.device_type == kDLCPU) {
    constexpr uint64_t kKept = 1 << 20;  // what is larger is asked for anew
    struct Free {
      void operator()(void* memory) const { std::free(memory); }
    };
    thread_local std::unique_ptr<void, Free> kept;
    if (bytes <= kKept) {
      if (!kept) kept.reset(std::aligned_alloc(64, kKept));
      data_ = kept.get();
    } else {
      data_ = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
      own_ = true;
    }
    if (!data_) throw std::bad_alloc();
    return;
  }
  const auto extent = static_cast<int64_t>(bytes);
  check(tileops_tensor_alloc(nullptr, entry.device, {kDLUInt, 8, 1}, 1, &extent, &device_));
  data_ = static_cast<char*>(device_->dl_tensor.data) + device_->dl_tensor.byte_offset;
}

Workspace::~Workspace() {
  if (own_) std::free(data_);
  if (!device_) return;
  tileops_stream_synchronize(nullptr, device_->dl_tensor.device, stream_);
  device_->deleter(device_);
}

}  // namespace tileops_python
