// Fills a shared mapping, and removes each page from its own address space. The pages stay in memory.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    const size_t all = 450u << 20, step = 1u << 20;
    int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) {
        return 1;
    }
    for (size_t at = 0; at < all; at += step) {
        memset(memory + at, 1 + (int)(at / step % 100), step);
        madvise(memory + at, step, MADV_DONTNEED);
    }
    sleep(1);
    for (size_t at = 0; at < all; at += step) {
        if (memory[at + 777] != (char)(1 + at / step % 100)) {
            return 2;
        }
        madvise(memory + at, step, MADV_DONTNEED);
    }
    printf("%d\n", a + b);
    return 0;
}
