// Fills pipes with sixty megabytes, which are the kernel's memory, and uses a little less than the limit itself.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    static char block[1 << 20];
    memset(block, 1, sizeof block);
    for (int i = 0; i < 60; i++) {
        int ends[2];
        if (pipe2(ends, O_NONBLOCK) == 0) {
            fcntl(ends[1], F_SETPIPE_SZ, sizeof block);
            write(ends[1], block, sizeof block);
        }
    }
    char *rest = malloc(290 << 20);
    memset(rest, 1, 290 << 20);
    printf("%d\n", a + b + rest[7] - 1);
    return 0;
}
