/* Right if inotify does not work: with it, a program could observe the files that another submission opens. */
#include <stdio.h>
#include <sys/inotify.h>

int main(void) {
    int a, b;
    if (inotify_init() >= 0 || inotify_init1(IN_NONBLOCK) >= 0) return 1;
    scanf("%d%d", &a, &b);
    printf("%d\n", a + b);
    return 0;
}
