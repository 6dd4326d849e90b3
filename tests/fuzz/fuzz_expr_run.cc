// libFuzzer target: bytes become calls of the builder, and what they build is executed (expr_calls.cc).
#include "expr_calls.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes bytes(data, size);
  fuzz::expression(&bytes);
  return 0;
}
