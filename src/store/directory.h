// Where the kernel cache lives on disk.
#pragma once

#include <string>

namespace tileops::cache {

// `option` if given, else TILEOPS_CACHE_DIR, XDG_CACHE_HOME/tileops, HOME/.cache/tileops, else "".
// Creates nothing.
std::string resolve_directory(const char* option);

// Removes the cached kernels below the directory; throws Error(IO).
void clear_directory(const std::string& directory);

}  // namespace tileops::cache
