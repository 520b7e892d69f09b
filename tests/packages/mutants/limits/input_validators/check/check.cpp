#include "validation.h"

int main() {
    if (Int(-100, 100) == 13) reject("found 13");
    Endl();
    Eof();
    return 42;
}
