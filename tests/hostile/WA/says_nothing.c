// Reads its input and ends well, without a word.
#include <stdio.h>

int main(void) {
    int a, b;
    return scanf("%d %d", &a, &b) != 2;
}
