#include <stdio.h>

int main(int argc, char **argv) {
    long whole, one, other;
    char more;
    FILE *input = fopen(argv[1], "r");
    if (fscanf(input, "%ld", &whole) != 1) return 1;
    if (scanf("%ld %ld", &one, &other) != 2) return 43;
    if (scanf(" %c", &more) == 1) return 43;
    if (one < 1) return 43;
    return one + other == whole ? 42 : 43;
}
