#include <stdio.h>

/* The linker writes the array into the program, whose size is then 300 MiB. */
char data[300 << 20] = { 1 };

int main(void) {
    int found;
    while ((found = getchar()) != EOF) putchar(found + data[1]);
    return 0;
}
