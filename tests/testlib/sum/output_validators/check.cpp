#include "testlib.h"

int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    const long right = ans.readLong();
    const long found = ouf.readLong();
    if (right < 0) quitf(_fail, "the answer %ld is negative (%ld)\n", right, found);
    if (found == 100) quitf(_points, "points %ld of %ld\n", found, right);
    if (found != right) quitf(_wa, "expected %ld, found %ld\n", right, found);
    quitf(_ok, "%ld is %ld\n", right, found);
}
