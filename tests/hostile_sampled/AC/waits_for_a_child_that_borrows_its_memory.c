// A child shares the memory of its parent until it executes another program (vfork). The memory counts once.
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    const size_t all = 200u << 20;
    volatile char *memory = malloc(all);
    for (size_t at = 0; at < all; at += 4096) {
        memory[at] = 1;
    }
    if (vfork() == 0) {
        usleep(200000);
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    wait(NULL);
    printf("%d\n", a + b);
    return 0;
}
