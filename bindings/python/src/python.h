// CPython's limited API, and references that let go of themselves.
#ifndef TILEOPS_PYTHON_PYTHON_H
#define TILEOPS_PYTHON_PYTHON_H

#include <Python.h>
#if PY_VERSION_HEX < 0x030c0000  // 3.11, without the limited API
#include <structmember.h>
#define Py_T_PYSSIZET T_PYSSIZET
#define Py_READONLY READONLY
#endif

#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace tileops_python {

// Thrown where a Python exception is set.
struct PythonError {};

// What the library refused or could not do: a tileops_status, and its message with the names of the arguments.
struct Failure {
  int32_t status;
  std::string text;
};

// Sets it as a Python exception.
void set_error(const Failure& failure);

// A reference, dropped at the end of its scope.
class Owned {
 public:
  Owned() = default;
  // Takes over a new reference; NULL, which says that an exception is set, is thrown.
  static Owned of(PyObject* object) {
    if (!object) throw PythonError{};
    return Owned(object);
  }
  static Owned share(PyObject* object) {
    Py_INCREF(object);
    return Owned(object);
  }
  Owned(Owned&& other) noexcept : object_(other.release()) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() { Py_XDECREF(object_); }

  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  explicit Owned(PyObject* object) : object_(object) {}
  PyObject* object_ = nullptr;
};

// Python strings that are asked for often, made once.
inline PyObject* interned(const char* text) { return Owned::of(PyUnicode_InternFromString(text)).release(); }

// A text of Python's own, valid as long as the object; ASCII but for what users write.
inline const char* utf8(PyObject* text) {
  const char* bytes = PyUnicode_AsUTF8AndSize(text, nullptr);
  if (!bytes) throw PythonError{};
  return bytes;
}

template <typename... Arguments>
[[noreturn]] void raise(PyObject* type, const char* format, Arguments... arguments) {
  PyErr_Format(type, format, arguments...);
  throw PythonError{};
}

// Lets other Python threads run in its scope, if it is told to.
class Unlocked {
 public:
  explicit Unlocked(bool unlock) : state_(unlock ? PyEval_SaveThread() : nullptr) {}
  ~Unlocked() {
    if (state_) PyEval_RestoreThread(state_);
  }
  Unlocked(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// What a function of Python's C API returns: a new reference, or NULL where `body` threw.
template <typename Body>
PyObject* guarded(Body&& body) {
  try {
    return body().release();
  } catch (const PythonError&) {
    return nullptr;
  } catch (const Failure& failure) {
    set_error(failure);
    return nullptr;
  } catch (const std::bad_alloc&) {
    return PyErr_NoMemory();
  }
}

}  // namespace tileops_python

#endif
