// Runs a command for which the kernel claims to have version 2 of Landlock, as Linux 5.19 to 6.1 do.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CREATE_RULESET 444
#define ASKS_FOR_VERSION 1

// Sends the number of its listener to the parent, and becomes the command.
static void run(int to_parent, char **command) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CREATE_RULESET, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 16 + 2 * 8),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ASKS_FOR_VERSION, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0) _exit(127);
    write(to_parent, &listener, sizeof listener);
    sleep(1);  // The parent copies the listener meanwhile.
    close(listener);
    execvp(command[0], command);
    _exit(127);
}

int main(int count, char **arguments) {
    int ends[2], number, status;
    if (count < 2 || pipe(ends)) return 127;
    int child = fork();
    if (!child) run(ends[1], arguments + 1);
    close(ends[1]);
    if (read(ends[0], &number, sizeof number) != sizeof number) return 127;
    int listener = syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, child, 0), number, 0);
    if (listener < 0) return 127;
    int server = fork();
    while (!server) {
        struct seccomp_notif call;
        memset(&call, 0, sizeof call);
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call)) {
            if (errno == EINTR) continue;
            _exit(0);
        }
        struct seccomp_notif_resp answer = {.id = call.id, .val = 2};
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
    waitpid(child, &status, 0);
    kill(server, 9);
    return WEXITSTATUS(status);
}
