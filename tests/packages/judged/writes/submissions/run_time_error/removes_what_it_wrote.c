// Would write more than the output limit, but would leave no file. The signal SIGXFSZ ends it.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    static char block[1 << 20];
    int file = open("large", O_CREAT | O_WRONLY, 0600);
    for (int blocks = 0; blocks < 20 && write(file, block, sizeof block) > 0; blocks++) {
        continue;
    }
    close(file);
    unlink("large");
    printf("%d\n", a + b);
    return 0;
}
