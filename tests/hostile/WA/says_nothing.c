// Reads its input and exits with 0, but prints nothing.
#include <stdio.h>

int main(void) {
    int a, b;
    return scanf("%d %d", &a, &b) != 2;
}
