// Two threads use the CPU time.
#include <thread>

static void burn() {
    for (volatile unsigned long i = 0;; i = i + 1) {
    }
}

int main() {
    std::thread first(burn), second(burn);
    first.join();
    second.join();
}
