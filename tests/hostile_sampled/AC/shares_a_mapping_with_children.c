// Eight children fill a shared mapping of 100 MiB together, and end one after the other. Shared memory counts once.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    const size_t all = 100u << 20;
    char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return 1;
    }
    for (int child = 0; child < 8; child++) {
        if (fork() == 0) {
            for (size_t at = 0; at < all; at += 4096) {
                memory[at] = 1;
            }
            usleep(100000 + 7000 * child);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    printf("%d\n", a + b + memory[7 << 20] - 1);
    return 0;
}
