// With TILEOPS_TEST_DEVICE=cuda:N the tests are of that device; without one they say that they are skipped.
#include <gtest/gtest.h>
#include <tileops/tileops.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool HasCuda() {
  for (size_t i = 0; i < tileops_device_count(); ++i) {
    tileops_device_info info = TILEOPS_DEVICE_INFO_INIT;
    if (tileops_device_describe(i, &info) == TILEOPS_STATUS_OK && info.device.device_type == kDLCUDA) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* device = std::getenv("TILEOPS_TEST_DEVICE");
  if (device && std::strncmp(device, "cuda", 4) == 0 && !HasCuda()) {
    std::puts("skipped: no CUDA device on this machine");
    return 77;
  }
  return RUN_ALL_TESTS();
}
