#include "testlib.h"

// The answer file holds the largest number of guesses that the checker accepts.
int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    long enough = ans.readLong(), guesses = ouf.readLong();
    if (guesses > enough) quitf(_wa, "%ld are enough, and it took %ld", enough, guesses);
    quitf(_ok, "%ld are enough, and it took %ld", enough, guesses);
}
