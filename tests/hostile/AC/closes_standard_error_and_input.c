// Closes what it no longer needs.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    close(0);
    close(2);
    printf("%d\n", a + b);
    return 0;
}
