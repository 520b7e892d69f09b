// Tries to give every process of its user the lowest priority, and to bind it to one core.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
    int a, b, done = 0;
    struct sched_param usual = {0};
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    scanf("%d %d", &a, &b);
    for (int process = 1; process < 32768; process++) {
        if (process == getpid()) continue;
        done += !sched_setscheduler(process, SCHED_IDLE, &usual);
        done += !sched_setaffinity(process, sizeof first, &first);
        done += !setpriority(PRIO_PROCESS, process, 19);
    }
    printf("%d\n", done ? -1 : a + b);
    return 0;
}
