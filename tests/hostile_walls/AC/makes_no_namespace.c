// Tries to escape with namespaces, mounts and changed roots. Right if every attempt fails.
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

static void got(const char *what, long result) {
    if (result >= 0) {
        printf("%s\n", what);
        fflush(stdout);
        _exit(0);
    }
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    int kinds[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWPID, CLONE_NEWIPC, CLONE_NEWUTS, 0x02000000};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        got("unshare", unshare(kinds[i]));
        long child = syscall(SYS_clone, kinds[i] | SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            _exit(0);
        }
        got("clone", child);
    }
    got("mount", mount("none", "/", "tmpfs", 0, NULL));
    got("bind", mount("/", "/usr", NULL, MS_BIND, NULL));
    got("remount", mount(NULL, "/", NULL, MS_REMOUNT, NULL));
    got("umount", umount2("/usr", MNT_DETACH));
    got("chroot", chroot("/usr"));
    got("pivot_root", syscall(SYS_pivot_root, ".", "."));
    got("setns", setns(open("/proc/self/ns/mnt", O_RDONLY), 0));
    got("open_tree", syscall(428, AT_FDCWD, "/usr", 1));
    got("fsopen", syscall(430, "tmpfs", 0));
    printf("%d\n", a + b);
    return 0;
}
