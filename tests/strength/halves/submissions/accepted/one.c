#include <stdio.h>
int main(void) {
    long whole;
    scanf("%ld", &whole);
    printf("1 %ld\n", whole - 1);
}
