// Sends SIGIO to its parent without end. The helper of the sandbox that starts programs learns by this signal that the
// judge wants to end the run, and must not miss it.
#include <signal.h>
#include <unistd.h>

int main(void) {
    signal(SIGIO, SIG_IGN);
    for (int child = 0; child < 3; child++)
        if (fork() == 0) break;
    for (;;) {
        kill(1, SIGIO);
        kill(getppid(), SIGIO);
    }
}
