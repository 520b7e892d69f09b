// Writes endlessly to standard output.
#include <stdio.h>

int main(void) {
    for (;;) {
        puts("flood flood flood flood flood flood flood flood flood flood flood flood flood flood");
    }
}
