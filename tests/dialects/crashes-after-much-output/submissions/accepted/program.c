#include <stdio.h>
#include <stdlib.h>

/* Prints 9 MiB, more than the output limit of 8 MiB, and then crashes. */
int main(void) {
    for (int line = 0; line < 9 << 16; line++) puts("fifteen letters");
    fflush(stdout);
    abort();
}
