// Its child floods the pipe that both share.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0) {
        for (;;) {
            puts("flood flood flood flood flood flood flood flood flood flood flood flood flood flood");
        }
    }
    wait(0);
    return 0;
}
