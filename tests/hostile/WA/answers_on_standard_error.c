// Prints the right answer to standard error instead of standard output.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    fprintf(stderr, "%d\n", a + b);
    return 0;
}
