// Exits with an output validator's code for "accepted". The judge must treat it as a failed submission.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    return 42;
}
