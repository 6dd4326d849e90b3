// What a kernel is compiled for: everything that is in its source and nothing of a plan's shapes,
// strides, attributes or addresses. Equal specs share one kernel.
#pragma once

#include <string>
#include <vector>

#include "plan/problem.h"

namespace tileops::cuda {

// As in kernels/place.h, where they are explained.
enum class Reach { dense, row, splat, strided, fixed, index, gathered, tile, even, odd };
enum class Walk { flat, rows, elements, tiles };

struct AccessSpec {
  std::string storage;  // a type of device/convert.h
  Reach reach = Reach::dense;
  std::string ids;      // gathered loads: storage of the index view,
  int gather = -1;      // and its number
};

// Which template: elementwise.h, or lookup.h (8 bits), lookup_halves.h (16 bits) and lookup_pairs.h (twice 8 bits),
// which know no body.
enum class Template { elementwise, lookup, lookup_halves, lookup_pairs };

struct KernelSpec {
  Template which = Template::elementwise;
  std::string body;     // "gelu"
  std::string policy = "portable";
  Ctype ctype = Ctype::f32;
  int ulp = 0;          // error bound of f32 results; 0: exact, or one rounding of one operation
  std::vector<AccessSpec> loads, stores;
  int gathers = 0;
  Walk walk = Walk::flat;
  int dims = 1, attrs = 0;
  int vector = 1, units = 1;  // elements of a pack, packs of a thread (0: until none are left, see gate_window.h)
  int edge = 0;               // tiles: side of a block's square
  int repeat = 1, repeat_dim = 0;  // packs that a thread takes along a dimension
  int share = 1;  // threads that compute together what is the same along it
  int threads = 256;          // most threads of a block
  int min_blocks = 0;         // of a multiprocessor, which bounds registers; 0: no bound
  bool wide = false;          // 64-bit coordinates
  bool halves = false;        // all operands and the result are of one 16-bit float dtype
  bool on_bits = false;       // the body works on their bits
  bool bits_kept = false;     // operands of the compute type are read and written as raw bits
  bool table = false;         // results too close to a tie are in a table of all results
  int result_bytes = 1;       // lookup_halves, lookup_pairs: size of a result

  // Does the argument block hold the address of a table of all results?
  bool needs_table() const { return table || which != Template::elementwise; }
  // Does a thread loop along repeat_dim, one pack a turn?
  bool turns() const { return repeat * share > 1; }
  // Shared memory asked for at the launch.
  int shared_bytes() const;
  int views() const { return static_cast<int>(loads.size() + stores.size()) + gathers; }
  // The text that instantiates the kernel, given to the compiler after the embedded sources. It is
  // also what the kernel is known by.
  std::string text() const;
  // "gelu<float> bfloat16 -> bfloat16, contiguous"-like, for people.
  std::string name() const;
};

// The name of the kernel's function.
constexpr const char* kKernelSymbol = "tileops_kernel";

// Words of the argument block, in the order of kernels/arguments.h.
struct ArgumentLayout {
  int views, dims, attrs;
  static constexpr int count = 0, flags = 1, immediate = 2, unaligned = 3, table = 4, address = 5;
  int divide() const { return address + views; }
  int stride(int view) const { return divide() + 3 * dims + view * dims; }
  int gather_stride() const { return stride(views); }
  int gather_extent() const { return gather_stride() + views; }
  int attr() const { return gather_extent() + views; }
  int words() const { return attr() + (attrs ? attrs : 1); }
};

// Name of a dtype as a type of device/convert.h; as a destination, with an fp8 overflow mode.
const char* storage_name(Dtype dtype);
const char* destination_name(Dtype dtype, Fp8Mode mode);

}  // namespace tileops::cuda
