// Uses no CPU time, and waits for ever.
#include <unistd.h>

int main(void) {
    for (;;) {
        pause();
    }
}
