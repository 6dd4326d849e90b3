// Arrays of any library as DLTensors, without a copy.
#ifndef TILEOPS_PYTHON_OPERANDS_H
#define TILEOPS_PYTHON_OPERANDS_H

#include <tileops/tileops.h>

#include <memory>
#include <new>
#include <utility>

#include "python.h"

namespace tileops_python {

// How arrays of a Python type are read.
enum class Way {
  kNumber,    // a number of Python's: an operand without dimensions
  kNumpy,     // numpy.ndarray and NumPy's scalars, by __array_struct__
  kTorch,     // torch.Tensor, by the exchange API and behind its own checks
  kExchange,  // others that have DLPack's C exchange API
  kDlpack,    // __dlpack__
  kBuffer,    // the buffer protocol
  kSubclass,  // a subclass of an array class, which may mean something else by its elements
  kNone,
};

// A Python type that operands have had.
struct ArrayType {
  PyTypeObject* type;
  Way way;
  const DLPackExchangeAPI* api;  // of kTorch and kExchange
};

// How arrays of the object's type are read. A type is looked at once; what was found is kept.
const ArrayType& array_type(PyObject* object);

// For messages: the function that is called and what the argument is called there.
struct Place {
  const char* function;
  const char* argument;
};

enum class Access { kRead, kWrite };

// An array during a call: a tensor, and what keeps its memory.
class Operand {
 public:
  // `stream`: of a CUDA device, on which the call computes; for `__dlpack__`.
  Operand(PyObject* object, const ArrayType& type, Access access, Place place, void* stream) {
    read(object, type, access, place, stream);
  }

  DLTensor tensor;

 private:
  struct BufferRelease {
    void operator()(Py_buffer* buffer) const {
      PyBuffer_Release(buffer);
      delete buffer;
    }
  };

  void read(PyObject* object, const ArrayType& type, Access access, Place place, void* stream);
  void read_number(PyObject* object, Place place);
  void read_numpy(PyObject* object, Access access, Place place);
  void read_exchange(PyObject* object, const ArrayType& type, Place place);
  void read_dlpack(PyObject* object, Access access, Place place, void* stream);
  void read_buffer(PyObject* object, Access access, Place place);
  // Strides in bytes as `tensor.strides`.
  void divide_strides(const Py_ssize_t* bytes, Py_ssize_t item, Place place);

  Owned keeper_;
  std::unique_ptr<Py_buffer, BufferRelease> buffer_;
  int64_t number_;
  int64_t strides_[TILEOPS_MAX_NDIM];
};

struct alignas(Operand) OperandRoom {
  unsigned char bytes[sizeof(Operand)];
};

// The operands of a call, made one by one in memory that is there; those that are not made cost nothing.
template <class Memory>
class OperandsIn {
 public:
  OperandsIn() = default;
  explicit OperandsIn(Memory memory) : memory_(std::move(memory)) {}
  OperandsIn(const OperandsIn&) = delete;
  ~OperandsIn() {
    while (count_ > 0) at(--count_).~Operand();
  }
  template <typename... Arguments>
  Operand& add(Arguments&&... arguments) {
    Operand* made = new (&memory_[count_]) Operand(std::forward<Arguments>(arguments)...);
    ++count_;
    return *made;
  }

 private:
  Operand& at(size_t i) { return *reinterpret_cast<Operand*>(&memory_[i]); }
  Memory memory_;
  size_t count_ = 0;
};
template <int kMost>
using Operands = OperandsIn<OperandRoom[kMost]>;
// As many operands as the caller allocates room for.
using ManyOperands = OperandsIn<std::unique_ptr<OperandRoom[]>>;

}  // namespace tileops_python

#endif
