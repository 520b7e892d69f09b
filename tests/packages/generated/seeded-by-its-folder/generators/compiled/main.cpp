#include <cstdint>
#include <filesystem>
#include <iostream>

int main(int, char **arguments) {
    auto folder = std::filesystem::absolute(arguments[0]).parent_path().filename().string();
    std::uint32_t seed = 0;
    for (unsigned char letter : folder)
        seed = seed * 131 + letter;
    std::cout << seed << "\n";
}
