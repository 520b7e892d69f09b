// A grandchild whose parent has ended uses the CPU time.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    int ends[2];
    pipe(ends);
    if (fork() == 0) {
        if (fork() == 0) {
            for (volatile unsigned long i = 0;; i++) {
            }
        }
        _exit(0);
    }
    close(ends[1]);
    char nothing;
    read(ends[0], &nothing, 1);
    printf("%d\n", a + b);
    return 0;
}
