#include <stdio.h>
#include <time.h>

/* Prints 9 MiB, more than the output limit of 8 MiB, and then computes for 4 s. The time limit is 1 s. The program ends
 * by itself, so that a judge without a time limit does not wait for it. */
int main(void) {
    for (int line = 0; line < 9 << 16; line++) puts("fifteen letters");
    fflush(stdout);
    while (clock() < 4 * CLOCKS_PER_SEC) {}
    return 0;
}
