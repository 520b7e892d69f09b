// Ignores signals and computes endlessly, so that only SIGKILL ends it.
#include <signal.h>

int main(void) {
    for (int signal_number = 1; signal_number < 32; signal_number++) {
        signal(signal_number, SIG_IGN);
    }
    for (volatile unsigned long i = 0;; i++) {
    }
}
