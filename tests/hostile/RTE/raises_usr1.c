// Dies of a signal of its own choice, after a right answer.
#include <signal.h>
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    return raise(SIGUSR1);
}
