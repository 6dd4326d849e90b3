// The kernel cache on disk, and the pack: what is damaged, foreign or hostile is no entry, and
// nothing is ever an error.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/log.h"
#include "store/disk.h"
#include "store/pack.h"
#include "store/tuned.h"

namespace tileops::cache {
namespace {

namespace fs = std::filesystem;
constexpr uint64_t kRoomy = uint64_t{1} << 30;

class Store : public ::testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/tileops-store-XXXXXX";
    base_ = mkdtemp(name);
    dir_ = base_ + "/a/cache";
    log_set([](void*, tileops_log_level, const char*) {}, nullptr, TILEOPS_LOG_WARN);
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(base_, fs::perms::owner_all, ignored);
    fs::remove_all(base_, ignored);
  }
  std::vector<fs::path> Files() const {
    std::vector<fs::path> files;
    if (!fs::exists(dir_)) return files;
    for (const auto& e : fs::recursive_directory_iterator(dir_))
      if (e.is_regular_file()) files.push_back(e.path());
    return files;
  }
  static std::string Get(DiskStore& store, const std::string& key) {
    std::string payload;
    return store.get(key, &payload) ? payload : "-";
  }
  static bool IsPrivate(const fs::path& path) {
    return (fs::status(path).permissions() & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none;
  }

  std::string base_, dir_;
};

const std::string kPayload(5000, 'k');

TEST_F(Store, KeepsAndFinds) {
  DiskStore store(dir_, true, kRoomy);
  EXPECT_EQ(Get(store, "one"), "-");
  store.put("one", kPayload);
  store.put("two", "");
  EXPECT_EQ(Get(store, "one"), kPayload);
  EXPECT_EQ(Get(store, "two"), "");
  EXPECT_EQ(Get(store, "three"), "-");
  DiskStore other(dir_, false, kRoomy);
  EXPECT_EQ(Get(other, "one"), kPayload);
  EXPECT_EQ(store.bad_entries(), 0u);
  ASSERT_EQ(Files().size(), 2u);
  EXPECT_TRUE(IsPrivate(dir_));
  for (const fs::path& f : Files()) EXPECT_TRUE(IsPrivate(f)) << f;
}

TEST_F(Store, EveryTruncationAndFlippedBitIsFound) {
  DiskStore store(dir_, true, kRoomy);
  store.put("key", "a kernel");
  const fs::path file = Files().at(0);
  std::ifstream in(file, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), {});
  uint64_t bad = 0;
  const auto expect_bad = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    EXPECT_EQ(Get(store, "key"), "-");
    EXPECT_EQ(store.bad_entries(), ++bad);
    EXPECT_FALSE(fs::exists(file));  // removed, so that it is made anew
    fs::create_directories(file.parent_path());
  };
  for (size_t n = 0; n < good.size(); ++n) expect_bad(good.substr(0, n));
  for (size_t i = 0; i < good.size(); ++i) {
    for (int bit : {0, 7}) {
      std::string damaged = good;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      // Bytes of padding in the header carry nothing.
      std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
      const std::string got = Get(store, "key");
      EXPECT_TRUE(got == "-" || got == "a kernel") << i;
      if (got == "-") ++bad;
    }
  }
  expect_bad(good + "x");
  EXPECT_GT(bad, 2 * good.size());
}

TEST_F(Store, AnEntryOfAnotherKeyIsNotUsed) {
  DiskStore store(dir_, true, kRoomy);
  store.put("mine", "m");
  const fs::path mine = Files().at(0);
  store.put("yours", "y");
  for (const fs::path& f : Files())
    if (f != mine) fs::copy_file(f, mine, fs::copy_options::overwrite_existing);
  EXPECT_EQ(Get(store, "mine"), "-");
}

TEST_F(Store, ForeignFilesAndFoldersAreNotTrusted) {
  DiskStore store(dir_, true, kRoomy);
  store.put("key", "v");
  const fs::path file = Files().at(0);
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(Get(store, "key"), "-");
  store.put("key", "v");
  EXPECT_EQ(Get(store, "key"), "v");
  fs::rename(file, base_ + "/elsewhere");
  fs::create_symlink(base_ + "/elsewhere", file);
  EXPECT_EQ(Get(store, "key"), "-");
  fs::remove(file);
  store.put("key", "v");
  fs::permissions(dir_, fs::perms::group_write, fs::perm_options::add);
  EXPECT_EQ(Get(store, "key"), "-");
  store.put("other", "v");
  EXPECT_EQ(Files().size(), 1u);
}

TEST_F(Store, NothingIsWrittenWhereThatIsNotWanted) {
  DiskStore off("", true, kRoomy);
  off.put("key", "v");
  EXPECT_EQ(Get(off, "key"), "-");
  DiskStore reader(dir_, false, kRoomy);
  reader.put("key", "v");
  EXPECT_FALSE(fs::exists(dir_));
  std::ofstream(base_ + "/file") << "no folder";
  DiskStore blocked(base_ + "/file/below", true, kRoomy);
  blocked.put("key", "v");
  EXPECT_EQ(Get(blocked, "key"), "-");
}

// Runs `body` in a process of its own; true is success.
template <class F>
bool InChild(F&& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

std::vector<std::string>& Lines() {
  static auto* lines = new std::vector<std::string>;
  return *lines;
}
void KeepLines() {
  Lines().clear();
  log_set([](void*, tileops_log_level, const char* text) { Lines().push_back(text); }, nullptr, TILEOPS_LOG_WARN);
}

// A write that fails half way, as on a full disk: no entry, no temporary file, one line in the log.
TEST_F(Store, FullDisk) {
  DiskStore(dir_, true, kRoomy).put("before", "b");
  EXPECT_TRUE(InChild([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2000, 2000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
    KeepLines();
    DiskStore store(dir_, true, kRoomy);
    store.put("key", kPayload);
    store.put("other", kPayload);
    std::string payload;
    return !store.get("key", &payload) && store.get("before", &payload) && payload == "b" && Lines().size() == 1 &&
           Lines()[0].find("cannot write") != std::string::npos;
  }));
  EXPECT_EQ(Files().size(), 1u);
}

// A directory that may be read but not written to: entries are used, and one line says that no new
// ones are kept. Root may write anywhere, so it becomes somebody else for this.
TEST_F(Store, ReadOnlyDirectory) {
  constexpr uid_t kNobody = 65534;
  const bool root = geteuid() == 0;
  if (root) fs::permissions(base_, fs::perms::all);
  EXPECT_TRUE(InChild([&] {
    if (root && setuid(kNobody) != 0) return false;
    KeepLines();
    DiskStore store(dir_, true, kRoomy);
    store.put("kept", "k");
    for (const auto& e : fs::recursive_directory_iterator(dir_))
      if (e.is_directory()) fs::permissions(e.path(), fs::perms::owner_read | fs::perms::owner_exec);
    fs::permissions(dir_, fs::perms::owner_read | fs::perms::owner_exec);
    store.put("new", "n");
    store.put("newer", "n");
    std::string payload;
    const bool right = store.get("kept", &payload) && payload == "k" && !store.get("new", &payload) &&
                       Lines().size() == 1 && Lines()[0].find("kernel cache: cannot ") == 0;
    fs::permissions(dir_, fs::perms::owner_all);
    for (const auto& e : fs::recursive_directory_iterator(dir_))
      if (e.is_directory()) fs::permissions(e.path(), fs::perms::owner_all);
    return right;
  }));
}

// What belongs to somebody else is not used, and said so.
TEST_F(Store, OtherOwner) {
  constexpr uid_t kNobody = 65534;
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  DiskStore store(dir_, true, kRoomy);
  store.put("key", "v");
  KeepLines();
  ASSERT_EQ(chown(Files().at(0).c_str(), kNobody, kNobody), 0);
  EXPECT_EQ(Get(store, "key"), "-");
  ASSERT_EQ(Lines().size(), 1u);
  EXPECT_NE(Lines()[0].find("not this user's"), std::string::npos) << Lines()[0];
  store.put("key", "v");
  ASSERT_EQ(chown((dir_ + "/v1").c_str(), kNobody, kNobody), 0);
  EXPECT_EQ(Get(store, "key"), "-");
  ASSERT_EQ(Lines().size(), 2u);
  EXPECT_NE(Lines()[1].find("only this user may write"), std::string::npos) << Lines()[1];
}

TEST_F(Store, TheOldestGoFirst) {
  DiskStore store(dir_, true, 3000);
  const std::string payload(500, 'x');
  for (int i = 0; i < 130; ++i) store.put("key" + std::to_string(i), payload);
  uint64_t total = 0;
  for (const fs::path& f : Files()) total += fs::file_size(f);
  EXPECT_LT(total, uint64_t{64 + 6} * 700);  // swept every 64 puts
  EXPECT_EQ(Get(store, "key0"), "-");
  EXPECT_EQ(Get(store, "key129"), payload);
}

TEST_F(Store, ManyProcessesAtOnce) {
  constexpr int kProcesses = 16, kKeys = 20;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t child = fork();
    if (child == 0) {
      DiskStore store(dir_, true, kRoomy);
      bool right = true;
      for (int k = 0; k < kKeys; ++k) {
        const std::string key = "key" + std::to_string(k), want = key + kPayload;
        std::string got;
        if (!store.get(key, &got)) store.put(key, want);
        right = right && store.get(key, &got) && got == want;
      }
      _exit(right && store.bad_entries() == 0 ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Files().size(), static_cast<size_t>(kKeys));  // and no temporary file
}

// Results of tuning are entries like kernels; what does not read as one is none.
TEST_F(Store, TuningResults) {
  DiskStore store(dir_, true, kRoomy);
  const LaunchHint wish{TILEOPS_STRATEGY_REGISTER_COPY, 128, 32};
  Tuned first(&store);
  EXPECT_FALSE(first.find("key"));
  first.keep("key", wish);
  ASSERT_TRUE(first.find("key"));
  Tuned second(&store);  // another process
  ASSERT_TRUE(second.find("key"));
  EXPECT_EQ(tuned_text(second.find("key")), tuned_text(wish));
  EXPECT_FALSE(second.find("other"));
  first.keep("key", std::nullopt);
  EXPECT_FALSE(first.find("key"));
  EXPECT_FALSE(Tuned(&store).find("key"));
  Tuned memory(nullptr);
  memory.keep("key", wish);
  EXPECT_TRUE(memory.find("key"));
  for (const char* text :
       {"", "tileops tuning 1", "tileops tuning 2\nregister_copy 128 32\n", "tileops tuning 1\nunknown 128 32\n",
        "tileops tuning 1\nauto 0 0\n", "tileops tuning 1\nregister_copy 100 32\n",
        "tileops tuning 1\nregister_copy 128\n", "tileops tuning 1\ndirect 128 2\n"})
    EXPECT_FALSE(parse_tuned(text)) << text;
  // A damaged file is no result.
  first.keep("key", wish);
  for (const fs::path& f : Files()) fs::resize_file(f, fs::file_size(f) - 1);
  EXPECT_FALSE(Tuned(&store).find("key"));
}

TEST_F(Store, Pack) {
  const std::string path = base_ + "/p.pack";
  std::vector<std::pair<std::string, std::string>> kernels;
  for (int i = 0; i < 100; ++i)
    kernels.emplace_back("key" + std::to_string(i), std::string(static_cast<size_t>(i * 7), char('a' + i % 26)));
  write_pack(path, "sources", kernels);
  const Pack pack(path, "sources");
  EXPECT_EQ(pack.size(), 100u);
  for (const auto& [key, image] : kernels) EXPECT_EQ(pack.find(key), image);
  EXPECT_TRUE(pack.find("key100").empty());
  EXPECT_EQ(Pack(path, "other sources").size(), 0u);
  EXPECT_EQ(Pack(base_ + "/none", "sources").size(), 0u);
  fs::resize_file(path, fs::file_size(path) / 2);
  const Pack half(path, "sources");
  for (const auto& [key, image] : kernels) EXPECT_TRUE(half.find(key).empty() || half.find(key) == image) << key;
  fs::resize_file(path, 10);
  EXPECT_EQ(Pack(path, "sources").size(), 0u);
}

}  // namespace
}  // namespace tileops::cache
