// One child after the other uses a little CPU time. The kernel discards their times, because SIGCHLD is ignored.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    signal(SIGCHLD, SIG_IGN);
    for (int child = 0; child < 40; child++) {
        if (fork() == 0) {
            struct timespec used;
            do {
                clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
            } while (used.tv_sec == 0 && used.tv_nsec < 50000000);
            _exit(0);
        }
        while (wait(NULL) > 0) {
        }
    }
    printf("%d\n", a + b);
    return 0;
}
