#include <fstream>
#include <iostream>
inline bool equal(const char *answer) {
    int got, wanted;
    std::ifstream(answer) >> wanted;
    return std::cin >> got && got == wanted;
}
