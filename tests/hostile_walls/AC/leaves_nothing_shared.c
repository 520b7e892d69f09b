// Tries to create shared objects that outlive a process, other than files. Right if every attempt fails.
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (shmget(4711, 4096, IPC_CREAT | 0666) >= 0 || semget(4711, 1, IPC_CREAT | 0666) >= 0 ||
        msgget(4711, IPC_CREAT | 0666) >= 0 || mq_open("/left", O_CREAT | O_RDWR, 0666, NULL) != (mqd_t)-1 ||
        open("/dev/shm/left", O_CREAT | O_RDWR, 0666) >= 0) {
        puts("something is left behind");
        return 0;
    }
    printf("%d\n", a + b);
    return 0;
}
