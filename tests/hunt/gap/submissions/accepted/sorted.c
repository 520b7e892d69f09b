// Sorts the numbers and compares neighbours.
#include <stdio.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int n, numbers[10], smallest = 100;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) scanf("%d", &numbers[i]);
    qsort(numbers, n, sizeof *numbers, ascending);
    for (int i = 1; i < n; i++)
        if (numbers[i] - numbers[i - 1] < smallest) smallest = numbers[i] - numbers[i - 1];
    printf("%d\n", smallest);
}
