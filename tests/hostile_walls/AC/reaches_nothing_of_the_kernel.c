// Tries system calls that often had security holes, and those that access other processes. Right if all are forbidden.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

static void got(const char *what, long result) {
    // An error about a bad address or argument means that the call itself is allowed.
    if (result >= 0 || (errno != EPERM && errno != ENOSYS && errno != EACCES)) {
        printf("%s: %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
        fflush(stdout);
        _exit(0);
    }
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    got("bpf", syscall(SYS_bpf, 0, 0, 0));
    got("perf_event_open", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
    got("io_uring_setup", syscall(425, 1, 0));
    got("userfaultfd", syscall(SYS_userfaultfd, 0));
    got("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3));
    got("keyctl", syscall(SYS_keyctl, 0, -3, 1));
    got("ptrace me", syscall(SYS_ptrace, 0, 0, 0, 0));
    got("ptrace 1", syscall(SYS_ptrace, 16, 1, 0, 0));
    struct iovec part = {&a, sizeof a};
    got("process_vm_readv", syscall(SYS_process_vm_readv, 1, &part, 1, &part, 1, 0));
    got("pidfd_getfd", syscall(438, 0, 0, 0));
    got("kcmp", syscall(SYS_kcmp, 1, 1, 0, 0, 0));
    got("init_module", syscall(SYS_init_module, 0, 0, 0));
    got("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
    got("reboot", syscall(SYS_reboot, 0, 0, 0, 0));
    got("swapon", syscall(SYS_swapon, "/", 0));
    struct timeval time = {0, 0};
    got("settimeofday", settimeofday(&time, NULL));
    got("clock_settime", syscall(SYS_clock_settime, 0, &time));
    got("sethostname", sethostname("a", 1));
    got("personality", syscall(SYS_personality, 0x0040000));
    got("open_by_handle_at", syscall(SYS_open_by_handle_at, -1, 0, 0));
    got("memfd_secret", syscall(447, 0));
    got("syslog", syscall(SYS_syslog, 3, 0, 0));
    got("acct", syscall(SYS_acct, 0));
    got("quotactl", syscall(SYS_quotactl, 0, 0, 0, 0));
    got("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
    got("clone3", syscall(435, 0, 0));
    got("a call of next year", syscall(999, 0));
    int became_root = setuid(0) == 0 || setgid(0) == 0 || setresuid(0, 0, 0) == 0;
    printf("%d\n", became_root ? -1 : a + b);
    return 0;
}
