#include "testlib.h"

int main(int argc, char *argv[]) {
    registerValidation(argc, argv);
    inf.readLong(-1000000, 1000000);
    inf.readLong(-1000000, 1000000);
    return 0;
}
