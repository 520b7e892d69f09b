// Prints the right answer, then writes endlessly to standard error.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    for (;;) {
        fputs("flood flood flood flood flood flood flood flood flood flood flood flood flood flood\n", stderr);
    }
}
