// Ignores SIGCHLD, so that the kernel never adds the CPU time of its children to its own.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    signal(SIGCHLD, SIG_IGN);
    int ends[2];
    pipe(ends);
    if (fork() == 0) {
        for (volatile unsigned long i = 0;; i++) {
        }
    }
    close(ends[1]);
    char nothing;
    read(ends[0], &nothing, 1);
    printf("%d\n", a + b);
    return 0;
}
