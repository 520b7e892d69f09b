// A child writes endlessly to the standard output that it shares with its parent.
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
