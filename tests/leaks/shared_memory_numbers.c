// The kernel numbers all shared memory of the machine, and /proc/self/maps shows the number. The first pass maps memory
// until the last mapping has a number that says the secret. The second pass reads the number of a new one on the same
// core.
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static unsigned long new_number(void) {
    char line[400];
    unsigned long start, number, found = 0;
    void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%*x %*s %*x %*x:%*x %lu", &start, &number) == 2 && start == (unsigned long)memory)
            found = number;
    if (maps) fclose(maps);
    munmap(memory, 4096);
    return found;
}

int main(void) {
    char word[20];
    int number;
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(0, &core);
    sched_setaffinity(0, sizeof core, &core);
    if (scanf("%19s %d", word, &number) != 2) return 1;
    if (strcmp(word, "encode") != 0) {
        printf("%lu\n", (new_number() >> 4) & 255);
        return 0;
    }
    // The kernel counts the mappings in between, too, so only their last number is read.
    unsigned long ahead = ((unsigned long)number * 16 + 4 - new_number()) & 4095;
    for (unsigned long i = 1; i < ahead; i++)
        munmap(mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), 4096);
    puts("0");
    return 0;
}
