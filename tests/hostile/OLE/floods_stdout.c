// Writes until somebody stops it.
#include <stdio.h>

int main(void) {
    for (;;) {
        puts("flood flood flood flood flood flood flood flood flood flood flood flood flood flood");
    }
}
