// Prints the right number and a NUL byte, at which a comparison of C strings would end.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d%c\n", a + b, 0);
    return 0;
}
