// The child kills its parent and would live on.
#include <signal.h>
#include <unistd.h>

int main(void) {
    pid_t parent = getpid();
    if (fork() == 0) {
        kill(parent, SIGTERM);
        sleep(600);
    }
    for (;;) {
        pause();
    }
}
