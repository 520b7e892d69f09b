#include "testlib.h"

int main(int argc, char *argv[]) {
    registerTestlibCmd(argc, argv);
    long expected = ans.readLong(), found = ouf.readLong();
    if (expected != found) quitf(_wa, "expected %ld, found %ld", expected, found);
    quitf(_ok, "%ld is %ld", expected, found);
}
