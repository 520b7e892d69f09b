// Recurses endlessly. The stack overflows before the program reaches the memory limit.
#include <stdio.h>

static int down(volatile int level) {
    volatile char frame[1000];
    frame[0] = (char)level;
    return down(level + 1) + frame[0];
}

int main(void) {
    printf("%d\n", down(0));
    return 0;
}
