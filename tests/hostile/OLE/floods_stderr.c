// Right on standard output; on standard error it never ends.
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
