// A child uses too much memory for ten milliseconds. If `WAITED` is 1, its parent waits for it. Otherwise the kernel
// discards the child's peak, because SIGCHLD is ignored, and the child lives on. A test judges both.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAITED 1

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (!WAITED) signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        const size_t all = 400u << 20;
        char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            _exit(1);
        }
        memset(memory, 1, all);
        usleep(10000);
        munmap(memory, all);
        if (!WAITED) sleep(1);
        _exit(0);
    }
    while (wait(NULL) > 0) {
    }
    printf("%d\n", a + b);
    return 0;
}
