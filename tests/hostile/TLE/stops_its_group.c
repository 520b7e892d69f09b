// Stops itself and its child with SIGSTOP, so that neither process runs or ends.
#include <signal.h>
#include <unistd.h>

int main(void) {
    fork();
    kill(0, SIGSTOP);
    return 0;
}
