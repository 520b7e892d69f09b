// Closes standard input and standard error before it answers.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    close(0);
    close(2);
    printf("%d\n", a + b);
    return 0;
}
