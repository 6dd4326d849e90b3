#include "cuda/driver/driver.h"

#include "base/error.h"
#include "base/log.h"
#include "cuda/driver/shared_library.h"

namespace tileops::cuda {
namespace {

Driver load() {
  Driver d;
  const SharedLibrary library(driver_candidates());
  if (!library.is_open()) {
    d.failure = "the CUDA driver could not be opened (" + library.failure() + ")";
    return d;
  }
#define TILEOPS_LOAD(member, symbol_name, parameters)                               \
  d.member = reinterpret_cast<CUresult(*) parameters>(library.symbol(symbol_name)); \
  if (!d.member && d.failure.empty())                                               \
    d.failure = library.name() + " has no " symbol_name ": a driver of CUDA 12 or newer is needed";
  TILEOPS_DRIVER_FUNCTIONS(TILEOPS_LOAD)
  TILEOPS_DRIVER_TIMING_FUNCTIONS(TILEOPS_LOAD)
#undef TILEOPS_LOAD
  if (!d.failure.empty()) return d;
#define TILEOPS_LOAD(member, symbol_name, parameters) \
  d.member = reinterpret_cast<CUresult(*) parameters>(library.symbol(symbol_name));
  TILEOPS_DRIVER_OPTIONAL_FUNCTIONS(TILEOPS_LOAD)
#undef TILEOPS_LOAD
  const auto explain = [&](CUresult r, const char* what) {
    const char* name = nullptr;
    d.error_name(r, &name);
    d.failure = std::string(what) + " of " + library.name() + " failed (" + (name ? name : "?") + ")";
  };
  if (const CUresult r = d.init(0)) {
    explain(r, "cuInit");
    return d;
  }
  d.driver_version(&d.version);
  if (const CUresult r = d.device_count(&d.count)) {
    explain(r, "cuDeviceGetCount");
    d.count = 0;
  } else if (d.count == 0) {
    d.failure = "the CUDA driver lists no device";
  }
  return d;
}

}  // namespace

const Driver& driver() {
  static const Driver* d = [] {  // leaked: usable until the very end of the process
    auto* loaded = new Driver(load());
    if (!loaded->failure.empty()) log(TILEOPS_LOG_INFO, "cuda: %s", loaded->failure.c_str());
    else
      log(TILEOPS_LOG_INFO, "cuda: driver %d.%d, %d devices", loaded->version / 1000, loaded->version % 1000 / 10,
          loaded->count);
    return loaded;
  }();
  return *d;
}

std::string error_text(CUresult result) {
  const char *name = nullptr, *text = nullptr;
  if (driver().error_name) driver().error_name(result, &name);
  if (driver().error_string) driver().error_string(result, &text);
  return std::string(name ? name : "CUDA_ERROR_?") + (text ? std::string(": ") + text : "");
}

void check(CUresult result, const char* what) {
  if (result == kSuccess) return;
  throw Error{result == kErrorOutOfMemory ? TILEOPS_STATUS_OUT_OF_MEMORY : TILEOPS_STATUS_DEVICE,
              std::string("device: ") + what + " failed (" + error_text(result) + ")", result};
}

}  // namespace tileops::cuda
