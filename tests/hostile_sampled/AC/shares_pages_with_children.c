// Eight children share 100 MiB with their parent, and end one after the other. Shared memory counts once.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    const size_t all = 100u << 20;
    char *memory = malloc(all);
    memset(memory, 1, all);
    for (int child = 0; child < 8; child++) {
        if (fork() == 0) {
            usleep(100000 + 7000 * child);
            _exit(memory[child] - 1);
        }
    }
    while (wait(NULL) > 0) {
    }
    printf("%d\n", a + b);
    return 0;
}
