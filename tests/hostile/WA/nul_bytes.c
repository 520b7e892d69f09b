// The right number, followed by a NUL byte that a C string comparison would not see.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d%c\n", a + b, 0);
    return 0;
}
