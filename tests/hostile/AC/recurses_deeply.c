// Uses 100 MB of stack, as an honest depth-first search may.
#include <stdio.h>

static int depth(int left) {
    volatile char frame[1000];
    frame[0] = (char)left;
    return left == 0 ? frame[0] : depth(left - 1) + (frame[0] ? 0 : 0);
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b + depth(100000));
    return 0;
}
