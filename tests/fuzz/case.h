// A call of the library made from bytes. No bytes, or zeros, give the plainest valid call, so that
// mutation moves away from what works one step at a time.
#pragma once

#include <tileops/tileops.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fuzz {

class Bytes {
 public:
  Bytes(const uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint8_t u8() { return at_ < size_ ? data_[at_++] : 0; }
  uint64_t u64() {
    uint64_t v = 0;
    for (int i = 0; i < 8; ++i) v = v << 8 | u8();
    return v;
  }
  // 0 to n - 1.
  int below(int n) { return u8() % n; }
  // True for one byte value in n; never when the bytes are used up.
  bool rarely(int n) { return u8() % n == n - 1; }

 private:
  const uint8_t* data_;
  size_t size_, at_ = 0;
};

// Bytes of what shapes count: of an element or, of a dtype of which two share a byte, of such a pair.
inline int unit_bytes(DLDataType t) { return (t.bits * t.lanes + 7) / 8; }

// A tensor: exact-size heap arrays for shape, strides and memory, so that AddressSanitizer sees
// every read beyond them.
struct Tensor {
  bool present = true;
  DLDataType dtype{2, 32, 1};
  int32_t ndim = 0;
  std::unique_ptr<int64_t[]> shape, strides;  // strides may be null
  void set(const std::vector<int64_t>& extents);
  void set_strides(const std::vector<int64_t>& values);

  tileops_tensor_desc desc() const;
  DLTensor tensor() const;  // data is null
  // Elements and bytes needed; false if that is more than this machine should spend on it.
  bool measure();
  int64_t numel = 0, low = 0, high = 0;         // bytes from element 0
  int64_t element_offset(int64_t index) const;  // in bytes; index in row-major order
};

using Extents = std::vector<int64_t>;
DLDataType any_dtype(Bytes* b);  // rarely one that is none
// Of a dtype of which two elements share a byte: the form whose shapes count pairs, and so many of them.
void count_pairs(DLDataType* dtype, Extents* shape);
Extents base_shape(Bytes* b, int min_rank);
// The shape itself, or one that broadcasts to it, or something else.
Extents operand_shape(Bytes* b, const Extents& base);
void choose_strides(Bytes* b, const Extents& shape, Tensor* t);

struct Case {
  explicit Case(Bytes* bytes);
  tileops_op op;
  std::vector<Tensor> inputs, outputs;
  std::vector<tileops_attr> attrs;
  uint32_t flags = 0;
  DLDevice device{kDLCPU, 0};
  int32_t strategy = 0, threads = 0, num_per_thread = 0, reserved = 0;
};

}  // namespace fuzz
