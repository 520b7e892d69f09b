// Signals its whole process group; the judge must not be in it.
#include <signal.h>

int main(void) {
    kill(0, SIGKILL);
    return 0;
}
