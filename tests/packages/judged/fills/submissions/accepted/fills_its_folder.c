// Fills its folder up to the limit with one file, then with many files, and answers nevertheless.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    static char block[1 << 20];
    int file = open("large", O_CREAT | O_WRONLY, 0600), blocks = 0;
    while (write(file, block, sizeof block) > 0) {
        blocks++;
    }
    // The rest of this file is sparse and uses no disk space.
    if (ftruncate(file, 399L << 20) != 0) {
        return 1;
    }
    close(file);
    unlink("large");
    int files = 0;
    for (char name[20]; files < 1000000; files++) {
        snprintf(name, sizeof name, "file%d", files);
        int made = open(name, O_CREAT | O_WRONLY, 0600);
        if (made < 0) {
            break;
        }
        close(made);
    }
    printf("%d\n", blocks > 100 && blocks < 300 && files > 1000 && files < 10000 ? a + b : -files);
    return 0;
}
