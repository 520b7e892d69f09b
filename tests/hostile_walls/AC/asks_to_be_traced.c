// Asks its parent to trace it, so that every signal would stop it. Right if no signal stops it.
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    printf("%d\n", a + b);
    return 0;
}
