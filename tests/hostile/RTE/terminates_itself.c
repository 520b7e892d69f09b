// Kills itself with SIGTERM. If it were the first process of a PID namespace, it would survive and exit with 0.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    kill(getpid(), SIGTERM);
    return 0;
}
