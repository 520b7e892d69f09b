// Allocates 450 MB and writes to every page.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    size_t bytes = 450u << 20;
    volatile char *memory = malloc(bytes);
    if (memory == NULL) {
        return 1;
    }
    for (size_t at = 0; at < bytes; at += 4096) {
        memory[at] = 1;
    }
    printf("%d\n", memory[bytes / 2]);
    return 0;
}
