// Tries all pairs.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n, numbers[10], smallest = 100;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &numbers[i]);
        for (int j = 0; j < i; j++)
            if (abs(numbers[i] - numbers[j]) < smallest) smallest = abs(numbers[i] - numbers[j]);
    }
    printf("%d\n", smallest);
}
