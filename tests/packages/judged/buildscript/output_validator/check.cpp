#include <fstream>
#include <iostream>
int main(int, char **argv) {
    int got, wanted;
    std::ifstream(argv[2]) >> wanted;
    return std::cin >> got && got == wanted ? 42 : 43;
}
