// Fills a file in memory (memfd), which does not count as memory of any process.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    int file = memfd_create("hidden", 0);
    for (int i = 0; i < 450; i++) {
        write(file, block, sizeof block);
    }
    printf("%d\n", a + b);
    return 0;
}
