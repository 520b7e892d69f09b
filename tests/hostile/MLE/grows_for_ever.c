// Stores every state, as an endless search does.
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (;;) {
        char *state = malloc(1 << 20);
        if (state == NULL) {
            return 1;
        }
        memset(state, 1, 1 << 20);
        __asm__ volatile("" : : "r"(state) : "memory");
    }
}
