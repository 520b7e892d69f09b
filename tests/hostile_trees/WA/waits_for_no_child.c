// A child would print the right answer a moment after its parent has ended: too late.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (fork() == 0) {
        sleep(1);
        printf("%d\n", a + b);
    }
    return 0;
}
