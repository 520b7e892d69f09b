// The first pass removes system files from the cache of the machine, or loads them: one file for each bit of the secret.
// The second pass measures how long it takes to read them. Every bit has three files, and the majority decides.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BITS = 8, COPIES = 3 };
static char names[BITS * COPIES][300], all[4096][300], buffer[1 << 16];

static int by_name(const void *one, const void *other) { return strcmp(one, other); }

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int choose_files(void) {
    DIR *folder = opendir("/usr/share/doc");
    int count = 0, chosen = 0;
    if (!folder) return 0;
    for (struct dirent *entry; (entry = readdir(folder)) && count < 4096;)
        if (entry->d_name[0] != '.') snprintf(all[count++], 300, "/usr/share/doc/%s/copyright", entry->d_name);
    qsort(all, count, sizeof all[0], by_name);
    for (int i = 0; i < count && chosen < BITS * COPIES; i++)
        if (readlink(all[i], buffer, sizeof buffer) < 0 && access(all[i], R_OK) == 0) strcpy(names[chosen++], all[i]);
    return chosen == BITS * COPIES;
}

int main(void) {
    char word[20];
    int number, found = 0;
    if (scanf("%19s %d", word, &number) != 2 || !choose_files()) return 1;
    for (int bit = 0; bit < BITS; bit++) {
        int quick = 0;
        for (int copy = 0; copy < COPIES; copy++) {
            int file = open(names[bit * COPIES + copy], O_RDONLY);
            if (strcmp(word, "encode") != 0) {
                double start = microseconds();
                quick += pread(file, buffer, 512, 0) > 0 && microseconds() - start < 30;
            } else if (number >> bit & 1) {
                while (read(file, buffer, sizeof buffer) > 0) continue;
            } else {
                posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
            }
            close(file);
        }
        found |= (quick * 2 > COPIES) << bit;
    }
    printf("%d\n", strcmp(word, "encode") == 0 ? 0 : found);
    return 0;
}
