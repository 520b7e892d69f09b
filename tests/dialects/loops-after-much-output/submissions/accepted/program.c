#include <stdio.h>

/* Prints 9 MiB, more than the output limit of 8 MiB, and then loops. */
int main(void) {
    for (int line = 0; line < 9 << 16; line++) puts("fifteen letters");
    fflush(stdout);
    for (volatile int round = 0;; round = 0) {}
}
