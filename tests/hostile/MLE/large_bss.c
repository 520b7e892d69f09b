// Half a gigabyte that is in no file and on no heap.
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
