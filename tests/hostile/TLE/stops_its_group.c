// Neither it nor its child is running or dead.
#include <signal.h>
#include <unistd.h>

int main(void) {
    fork();
    kill(0, SIGSTOP);
    return 0;
}
