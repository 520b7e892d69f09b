// Uses half a gigabyte of zero-initialised static memory, which is neither in the file nor on the heap.
#include <stdio.h>

static volatile char array[512L << 20];

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    for (long i = 0; i < 512L << 20; i += 4096) {
        array[i] = 1;
    }
    printf("%d\n", a + b);
    return 0;
}
