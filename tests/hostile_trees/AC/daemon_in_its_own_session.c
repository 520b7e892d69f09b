// Answers, and leaves a daemon in a session of its own that ignores every signal it can.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    printf("%d\n", a + b);
    fflush(stdout);
    if (fork() == 0) {
        setsid();
        for (int signal_number = 1; signal_number < 32; signal_number++) {
            signal(signal_number, SIG_IGN);
        }
        if (fork() == 0) {
            for (;;) {
                pause();
            }
        }
        for (;;) {
            pause();
        }
    }
    return 0;
}
