// Prints the right answer, then kills itself with SIGUSR1.
#include <signal.h>
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    return raise(SIGUSR1);
}
