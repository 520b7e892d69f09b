#include "testlib.h"

#include <iostream>

// Replies to guesses of a number, and writes the number of guesses for the checker.
int main(int argc, char *argv[]) {
    registerInteraction(argc, argv);
    long secret = inf.readLong(1, 100);
    for (long guesses = 1; guesses <= 200; guesses++) {
        long guess = ouf.readLong();
        if (guess == secret) {
            std::cout << "right" << std::endl;
            tout << guesses << std::endl;
            quitf(_ok, "%ld after %ld guesses", secret, guesses);
        }
        std::cout << (secret < guess ? "lower" : "higher") << std::endl;
    }
    quitf(_wa, "%ld is not found in %ld guesses", secret, 200);
}
