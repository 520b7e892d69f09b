// Adds two numbers with threads, condition variables, exceptions and deep recursion. In a statically linked program,
// each of them fails if a part of a library is missing.
#include <condition_variable>
#include <future>
#include <iostream>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static int depth(int left) {
    volatile char used[64];
    used[left % 64] = 1;
    return left == 0 ? 0 : depth(left - 1) + used[left % 64];
}

int main() {
    int numbers[2], sum = 0, added = 0;
    std::cin >> numbers[0] >> numbers[1];
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::thread> threads;
    for (int number : numbers) {
        threads.emplace_back([&, number] {
            std::lock_guard<std::mutex> lock(mutex);
            sum += number;
            ++added;
            changed.notify_one();
        });
    }
    {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return added == 2; });
    }
    for (std::thread &thread : threads) thread.join();

    auto failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("expected"); });
    try {
        sum += failing.get();
        return 1;
    } catch (const std::runtime_error &) {
    }
    if (depth(500000) != 500000) return 2;
    std::cout << sum << '\n';
}
