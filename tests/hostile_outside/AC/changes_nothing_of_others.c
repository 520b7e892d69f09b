// Tries to change files, processes and shared memory of its user. Without namespaces, the filter of system calls must
// refuse all of it. The program tries its own files, because it knows their paths; the filter does not know the paths.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int wrong;

static void expect(const char *name, long result, int wanted) {
    if (result >= 0 || errno != wanted) {
        fprintf(stderr, "%s: result %ld, %s\n", name, result, strerror(errno));
        wrong = 1;
    }
}

int main(int count, char **arguments) {
    int a, b, pair[2];
    (void)count;
    scanf("%d %d", &a, &b);
    const char *own = arguments[0];
    int file = open(own, O_RDONLY), judge = getppid();
    if (file < 0) return 1;
    struct sched_param parameters = {0};
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/dev/log"};
    expect("truncate", truncate(own, 0), EPERM);
    expect("open and empty", open(own, O_RDONLY | O_TRUNC), EPERM);
    expect("openat2", syscall(SYS_openat2, AT_FDCWD, own, &address, 24), ENOSYS);
    expect("chmod", chmod(own, 0), EPERM);
    expect("fchmod", fchmod(file, 0), EPERM);
    expect("futimens", futimens(file, 0), EPERM);
    expect("setxattrat", syscall(463, AT_FDCWD, own, 0, "user.mark", &address, 16), ENOSYS);
    expect("sched_setscheduler", sched_setscheduler(judge, SCHED_IDLE, &parameters), EPERM);
    expect("sched_setaffinity", sched_setaffinity(judge, sizeof cores, &cores), EPERM);
    expect("setpriority", setpriority(PRIO_PROCESS, judge, 19), EPERM);
    expect("shmctl", shmctl(0, SHM_STAT, 0), ENOSYS);
    expect("shmat", (long)shmat(0, 0, 0), ENOSYS);
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    expect("sendto", sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address), EACCES);
    printf("%d\n", wrong ? -1 : a + b);
    return 0;
}
