// Stops itself with SIGSTOP, so that it neither runs nor ends.
#include <signal.h>

int main(void) {
    raise(SIGSTOP);
    return 0;
}
