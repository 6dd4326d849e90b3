// tileops info: what is installed here.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/common.h"

namespace tileops::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string cache_dir() {
  size_t size = 0;
  check(tileops_cache_dir(nullptr, nullptr, &size));
  std::string text(size, '\0');
  check(tileops_cache_dir(nullptr, text.data(), &size));
  return text.c_str();
}

Json list_devices() {
  Json devices = Json::array();
  for (size_t i = 0; i < tileops_device_count(); ++i) {
    tileops_device_info info = TILEOPS_DEVICE_INFO_INIT;
    check(tileops_device_describe(i, &info));
    devices.push_back({{"device", device_text(info.device)},
                       {"name", info.name},
                       {"arch", info.arch},
                       {"memory_bytes", info.memory_bytes},
                       {"units", info.units}});
  }
  return devices;
}

void info(bool json) {
  const Json devices = list_devices();
  const std::string cache = cache_dir();
  const std::string isa = devices.empty() ? "" : devices[0]["arch"].get<std::string>();
  if (json) {
    const Json result = {{"version", tileops_version_string()},
                         {"header_version", TILEOPS_VERSION},
                         {"build", tileops_build_info()},
                         {"isa", isa},
                         {"ops", tileops_op_count()},
                         {"devices", devices},
                         {"cache_dir", cache.empty() ? Json(nullptr) : Json(cache)}};
    std::cout << result.dump(2) << "\n";
    return;
  }
  std::printf("version    %s\n", tileops_version_string());
  std::printf("build      %s\n", tileops_build_info());
  std::printf("cpu isa    %s\n", isa.c_str());
  std::printf("operators  %zu\n", tileops_op_count());
  std::printf("cache      %s\n", cache.empty() ? "none" : cache.c_str());
  for (const Json& device : devices) {
    const bool cpu = device["device"] == "cpu";
    std::printf("device     %-7s %s, %s, %.1f GiB, %d %s\n", device["device"].get<std::string>().c_str(),
                device["name"].get<std::string>().c_str(), device["arch"].get<std::string>().c_str(),
                device["memory_bytes"].get<double>() / (1 << 30), device["units"].get<int>(),
                cpu ? "threads" : "multiprocessors");
  }
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Version, build, CPU instruction set, devices and cache directory");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Print JSON");
  command->callback([json] { info(*json); });
}

}  // namespace tileops::cli
