// Operators that are tested by several threads.
#ifndef TILEOPS_CLI_SELFTEST_WORKERS_H_
#define TILEOPS_CLI_SELFTEST_WORKERS_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "cli/common.h"
#include "cli/selftest/outcome.h"

namespace tileops::cli {

// Threads that test one operator after the other, each on a stream of its own; results by number.
class Workers {
 public:
  Workers(size_t threads, size_t count, const std::function<Outcome(size_t, const Stream&)>& test,
          const std::function<std::unique_ptr<Stream>()>& make_stream)
      : results_(count) {
    for (auto& result : results_) futures_.push_back(result.get_future());
    for (size_t t = 0; t < std::min(threads, count); ++t) {
      threads_.emplace_back([this, test, make_stream, count] {
        std::unique_ptr<Stream> stream;
        for (size_t i; (i = next_.fetch_add(1)) < count;) {
          try {
            if (!stream) stream = make_stream();
            results_[i].set_value(test(i, *stream));
          } catch (...) {
            results_[i].set_exception(std::current_exception());
          }
        }
      });
    }
  }
  ~Workers() {
    next_ = results_.size();  // after a failure the others need not start
    for (std::thread& thread : threads_) thread.join();
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  Outcome result(size_t i) { return futures_[i].get(); }

 private:
  std::vector<std::promise<Outcome>> results_;
  std::vector<std::future<Outcome>> futures_;
  std::atomic<size_t> next_{0};
  std::vector<std::thread> threads_;
};

}  // namespace tileops::cli

#endif  // TILEOPS_CLI_SELFTEST_WORKERS_H_
