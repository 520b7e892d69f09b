// Ignores every signal that it can and forks children with sessions of their own. Then sends its parent, the process
// that watches it, SIGSTOP, SIGKILL and SIGSEGV with every system call that sends signals.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
    int keeper = getppid();
    for (int number = 1; number < 64; number++) {
        signal(number, SIG_IGN);
    }
    for (int i = 0; i < 5; i++) {
        if (fork() == 0) {
            setsid();
        }
    }
    int numbers[] = {SIGSTOP, SIGKILL, SIGSEGV};
    for (int i = 0; i < 3; i++) {
        kill(keeper, numbers[i]);
        if (keeper > 1) {
            kill(-keeper, numbers[i]);
        }
        syscall(SYS_tkill, keeper, numbers[i]);
        syscall(SYS_tgkill, keeper, keeper, numbers[i]);
        siginfo_t info = {.si_signo = numbers[i], .si_code = SI_QUEUE};
        syscall(SYS_rt_sigqueueinfo, keeper, numbers[i], &info);
        syscall(SYS_rt_tgsigqueueinfo, keeper, keeper, numbers[i], &info);
        syscall(424, syscall(434, keeper, 0), numbers[i], 0, 0);
    }
    for (;;) {
        pause();
        sleep(1);
    }
}
