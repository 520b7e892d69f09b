// Tries to raise its own limits, and to lower those of its parent. Right if every attempt fails.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static void got(const char *what, int result) {
    if (result >= 0) {
        puts(what);
        fflush(stdout);
        _exit(0);
    }
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    int kinds[] = {RLIMIT_CPU, RLIMIT_STACK, RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_SIGPENDING, RLIMIT_MEMLOCK};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct rlimit most = {RLIM_INFINITY, RLIM_INFINITY};
        got("setrlimit", setrlimit(kinds[i], &most));
    }
    // The kernel counts the signals that wait for all processes of the user together.
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    int queued = 0;
    while (queued < 5000 && sigqueue(getpid(), SIGRTMIN, (union sigval){0}) == 0) queued++;
    got("5000 signals", queued < 5000 ? -1 : 0);
    void *memory = mmap(0, 64 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    got("64 MiB of locked memory", mlock(memory, 64 << 20));
    struct rlimit none = {0, 0};
    got("prlimit of the keeper", prlimit(getppid(), RLIMIT_NOFILE, &none, NULL));
    got("nice of the keeper", setpriority(PRIO_PROCESS, getppid(), 19));
    got("nice of everybody", setpriority(PRIO_USER, 0, 19));
    got("nice upwards", setpriority(PRIO_PROCESS, 0, -10));
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    got("affinity of the keeper", sched_setaffinity(getppid(), sizeof one, &one));
    struct sched_param idle = {0};
    got("scheduler of the keeper", sched_setscheduler(getppid(), SCHED_IDLE, &idle));
    int file = open("/proc/self/oom_score_adj", O_WRONLY);
    got("oom_score_adj", file < 0 ? -1 : (int)write(file, "-1000", 5));
    printf("%d\n", a + b);
    return 0;
}
