// Expressions as functors of transform(): the headers that
//   tileops expr '(acc, bias; scale = 0.5) -> cast(gelu(acc + bias) * scale, bf16)' -d bias=bf16 --device-function
//   epilogue tileops expr '(a, b) -> maximum(a, b) - minimum(a, b), a > b' --device-function range_and_order
// write, each in a file of the function's name. A functor hands a thread's whole pack on, scalars before it.
#include <tileops/device/transform.h>

#include "epilogue.h"
#include "range_and_order.h"

namespace examples {

struct epilogue_functor {
  double scale;
  template <class... Packs>
  __device__ void packs(Packs&... x) const {
    epilogue(scale, x...);
  }
};
struct range_and_order_functor {
  template <class... Packs>
  __device__ void packs(Packs&... x) const {
    range_and_order(x...);
  }
};

}  // namespace examples
