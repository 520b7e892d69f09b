// The child kills its parent. The judge must kill the child.
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
