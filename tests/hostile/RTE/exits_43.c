// Ends as an output validator would, which must not be mistaken for one.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    return 43;
}
