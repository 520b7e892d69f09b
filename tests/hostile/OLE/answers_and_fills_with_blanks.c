// Prints the right answer and two megabytes of blanks, which a screen does not show.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    for (int i = 0; i < 2 << 20; i++) {
        putchar(' ');
    }
    return 0;
}
