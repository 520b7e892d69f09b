// Wrong: forgets to put the numbers in order. Right on everything that is in order already.
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
