// Writes more files than the folder may hold. They are empty, so they are no output.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int a, b;
    char name[32];
    scanf("%d %d", &a, &b);
    for (int number = 0; number < 6000; number++) {
        snprintf(name, sizeof name, "f%d", number);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
    printf("%d\n", a + b);
    return 0;
}
