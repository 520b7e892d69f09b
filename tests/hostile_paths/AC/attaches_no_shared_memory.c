// Looks for System V memory of its user, as another process of that user has made it.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>

int main(void) {
    int a, b, done = 0;
    struct shmid_ds found;
    scanf("%d %d", &a, &b);
    for (int index = 0; index < 100; index++) {
        int id = shmctl(index, SHM_STAT, &found);
        void *memory = shmat(id < 0 ? index : id, 0, 0);
        if (memory != (void *)-1) {
            strcpy(memory, "overwritten");
            done++;
        }
        done += id >= 0;
    }
    printf("%d\n", done ? -1 : a + b);
    return 0;
}
