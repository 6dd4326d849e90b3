// Tables of results, shared by all plans of one operator, attributes and dtypes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tileops::cpu {

using Table = std::shared_ptr<const std::vector<uint8_t>>;

// The table of that key, made by `make` if no live plan has it.
Table shared_table(const std::string& key, const std::function<std::vector<uint8_t>()>& make);

}  // namespace tileops::cpu
