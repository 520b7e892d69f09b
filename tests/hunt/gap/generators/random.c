// random SEED: prints a random number of random numbers.
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count != 2) return 1;
    srand(atoi(arguments[1]));
    int n = 2 + rand() % 9;
    printf("%d\n", n);
    for (int i = 0; i < n; i++) printf("%d%c", rand() % 100, i + 1 < n ? ' ' : '\n');
}
