#include "testlib.h"

// The answer says how many guesses are enough.
int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    long enough = ans.readLong(), guesses = ouf.readLong();
    if (guesses > enough) quitf(_wa, "%ld are enough, and it took %ld", enough, guesses);
    quitf(_ok, "%ld are enough, and it took %ld", enough, guesses);
}
