// Where a context says that kernels and their compiler are.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "cuda/jit/kernel_cache.h"
#include "cuda/jit/source.h"
#include "store/pack.h"

namespace tileops::cuda {
namespace {

TEST(Paths, FoldersOfPacksHaveColonsBetweenThem) {
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  EXPECT_TRUE(resolve_options(options).pack_dirs.empty());
  options.pack_dirs = "/a::/b c:";
  EXPECT_EQ(resolve_options(options).pack_dirs, (std::vector<std::string>{"/a", "/b c"}));
  ASSERT_EQ(setenv("TILEOPS_PACK_DIRS", "/d", 1), 0);
  EXPECT_EQ(resolve_options(options).pack_dirs.size(), 2u) << "options win over the environment";
  options.pack_dirs = nullptr;
  EXPECT_EQ(resolve_options(options).pack_dirs, std::vector<std::string>{"/d"});
  unsetenv("TILEOPS_PACK_DIRS");
}

TEST(Paths, PacksOfGivenFoldersComeFirst) {
  char folder[] = "/tmp/tileops_packs_XXXXXX";
  ASSERT_NE(mkdtemp(folder), nullptr);
  const std::string first = std::string(folder) + "/first", second = std::string(folder) + "/second";
  std::filesystem::create_directory(first);
  std::filesystem::create_directory(second);
  const Kernel kernel{"a kernel of this test", "kernel", "kernel", 0}, other{"another one", "other", "other", 0};
  cache::write_pack(second + "/kernels-sm_90.pack", kEmbeddedHash, {{kernel_key(kernel, 90), "of second"}});
  cache::write_pack(first + "/kernels-sm_80.pack", kEmbeddedHash, {{kernel_key(kernel, 80), "of first"}});
  EXPECT_EQ(image_in_packs(kernel, 90, {first, second}), "of second");
  EXPECT_EQ(image_in_packs(kernel, 80, {first, second}), "of first");
  EXPECT_EQ(image_in_packs(other, 90, {first, second}), "");
  EXPECT_EQ(image_in_packs(kernel, 90, {}), "");
  std::filesystem::remove_all(folder);
}

TEST(Paths, AProcessHasOneCompiler) {
  Nvrtc::get();
  tileops_context_options options = TILEOPS_CONTEXT_OPTIONS_INIT;
  options.nvrtc_path = "/no/such/libnvrtc.so";
  tileops_context* context = nullptr;
  EXPECT_EQ(tileops_context_create(&options, &context), TILEOPS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(context, nullptr);
  EXPECT_NE(std::string(tileops_last_error())
                .find("options: nvrtc_path is another file than the process has opened or "
                      "chosen (got '/no/such/libnvrtc.so', have '"),
            std::string::npos)
      << tileops_last_error();
}

}  // namespace
}  // namespace tileops::cuda
