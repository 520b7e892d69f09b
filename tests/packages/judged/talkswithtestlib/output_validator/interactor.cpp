#include "testlib.h"

#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
    if (argc != 4) return 3;
    int number, guess;
    std::string answer;
    std::ifstream(argv[1]) >> number;
    std::ofstream tout(argv[2]);
    std::ifstream(argv[3]) >> answer;
    if (!tout || answer != "x") return 3;
    for (int guesses = 1; guesses <= 8; guesses++) {
        if (!(std::cin >> guess) || guess < 1 || guess > 100) {
            std::cerr << "no guess" << std::endl;
            return 2;
        }
        if (guess == number) {
            tout << guesses << std::endl;
            std::cout << "correct" << std::endl;
            return OK_EXIT_CODE;
        }
        std::cout << (number < guess ? "lower" : "higher") << std::endl;
    }
    return 1;
}
