#include <stdio.h>

int main(void) {
    long whole = 0;
    int letter;
    while ((letter = getchar()) >= '0' && letter <= '9' && whole < 1000) whole = 10 * whole + letter - '0';
    if (letter != '\n') return 43;
    if (getchar() != EOF) return 43;
    return whole >= 2 && whole <= 100 ? 42 : 43;
}
