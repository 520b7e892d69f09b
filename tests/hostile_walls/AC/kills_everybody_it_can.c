// Kills all processes that it may signal, except itself. Right if these are only its children.
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int a, b, status;
    scanf("%d %d", &a, &b);
    if (fork() == 0) {
        pause();
    }
    kill(-1, SIGKILL);
    wait(&status);
    printf("%d\n", WIFSIGNALED(status) ? a + b : -1);
    return 0;
}
