// Throws an exception and does not catch it.
#include <stdexcept>

int main() {
    throw std::runtime_error("nobody catches me");
}
