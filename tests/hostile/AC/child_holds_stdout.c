// Answers, and leaves a child that keeps standard output open. The judge must not wait for the child.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    if (fork() == 0) {
        sleep(600);
    }
    return 0;
}
