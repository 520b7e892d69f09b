// All its time is spent in the kernel.
#include <unistd.h>

int main(void) {
    for (;;) {
        getppid();
    }
}
