#include <stdio.h>
int main(void) {
    long whole;
    scanf("%ld", &whole);
    printf("0 %ld\n", whole);
}
