#include "cli/batch.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace vesalius::cli {

void for_each_in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
                       const std::function<void(std::size_t)>& done) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t next = 0;
  std::vector<char> finished(count, 0);
  const auto worker = [&] {
    for (;;) {
      std::size_t mine = 0;
      {
        const std::scoped_lock lock(mutex);
        if (next >= count) return;
        mine = next++;
      }
      work(mine);
      {
        const std::scoped_lock lock(mutex);
        finished[mine] = 1;
      }
      changed.notify_one();
    }
  };
  std::vector<std::jthread> pool;
  const std::size_t size = std::min<std::size_t>(threads, count);
  for (std::size_t i = 0; i < size; ++i) pool.emplace_back(worker);
  for (std::size_t i = 0; i < count; ++i) {
    {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return finished[i] != 0; });
    }
    done(i);
  }
}

}  // namespace vesalius::cli
