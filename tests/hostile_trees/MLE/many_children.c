// Six children use 80 MB each. Only all of them together exceed the memory limit.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    for (int child = 0; child < 6; child++) {
        if (fork() == 0) {
            volatile char *memory = malloc(80 << 20);
            for (size_t at = 0; memory != NULL && at < (80u << 20); at += 4096) {
                memory[at] = 1;
            }
            sleep(1);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    printf("%d\n", a + b);
    return 0;
}
