// Removes its files and holds them open, so that they take space and cannot be found.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static char block[1 << 20];

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    for (int number = 0; number < 300; number++) {
        int file = open("removed", O_CREAT | O_WRONLY | O_EXCL, 0600);
        unlink("removed");
        if (write(file, block, sizeof block) < 0) return 1;
    }
    usleep(300000);
    printf("%d\n", a + b);
    return 0;
}
