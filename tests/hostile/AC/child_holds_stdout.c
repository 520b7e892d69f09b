// Answers and leaves a child behind that keeps standard output open: the judge must not wait for it.
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
