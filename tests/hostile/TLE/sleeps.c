// Uses no CPU time and sleeps endlessly.
#include <unistd.h>

int main(void) {
    for (;;) {
        pause();
    }
}
