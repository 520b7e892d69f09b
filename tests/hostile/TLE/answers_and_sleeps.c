// Prints the right answer, then never ends.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    for (;;) {
        sleep(1000);
    }
}
