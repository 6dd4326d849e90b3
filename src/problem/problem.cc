#include "problem/problem.h"

#include <algorithm>

namespace tileops {

size_t ids_begin(const Pass& pass) {
  size_t n = pass.loads.size();
  for (const View& v : pass.loads)
    for (const View::Index& i : v.indices)
      if (i.value.kind == Value::Kind::load) n = std::min(n, static_cast<size_t>(i.value.index));
  return n;
}

}  // namespace tileops
