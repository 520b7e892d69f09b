// Its children use the CPU time, and it waits for them.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    for (int child = 0; child < 2; child++) {
        if (fork() == 0) {
            for (volatile unsigned long i = 0;; i++) {
            }
        }
    }
    while (wait(0) > 0) {
    }
    return 0;
}
