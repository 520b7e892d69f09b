// Spends its CPU time in the kernel, in system calls.
#include <unistd.h>

int main(void) {
    for (;;) {
        getppid();
    }
}
