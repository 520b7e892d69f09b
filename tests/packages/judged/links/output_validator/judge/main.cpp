#include "equal.h"
int main(int, char **argv) { return equal(argv[2]) ? 42 : 43; }
