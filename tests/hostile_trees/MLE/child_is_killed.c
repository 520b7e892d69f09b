// The kernel kills a child that uses too much memory. The parent prints the right answer and exits with 0.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (fork() == 0) {
        // The kernel must kill this process and not its parent.
        FILE *score = fopen("/proc/self/oom_score_adj", "w");
        if (score != NULL) {
            fputs("1000", score);
            fclose(score);
        }
        volatile char *memory = malloc(450u << 20);
        for (size_t at = 0; memory != NULL && at < (450u << 20); at += 4096) {
            memory[at] = 1;
        }
        _exit(0);
    }
    wait(NULL);
    printf("%d\n", a + b);
    return 0;
}
