// Wrong: does not sort the numbers. Right if they are already sorted.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n, last, number, smallest = 100;
    scanf("%d%d", &n, &last);
    for (int i = 1; i < n; i++, last = number) {
        scanf("%d", &number);
        if (abs(number - last) < smallest) smallest = abs(number - last);
    }
    printf("%d\n", smallest);
}
