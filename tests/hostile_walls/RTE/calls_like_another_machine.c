// Makes 32-bit system calls, whose numbers differ from the 64-bit numbers that a filter compares.
#include <stdio.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
#ifdef __x86_64__
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20));
    printf("%d\n", a + b);
    return 0;
#else
    __builtin_trap();
#endif
}
