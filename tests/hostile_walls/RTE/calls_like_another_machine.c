// The same kernel through the door of 32-bit programs, whose numbers no filter of 64-bit numbers knows.
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
