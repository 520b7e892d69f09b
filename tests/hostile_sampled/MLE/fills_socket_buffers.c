// Two processes fill the buffers of as many sockets as they can open. The buffers belong to no process.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void fill_all(void) {
    static char block[1 << 16];
    memset(block, 1, sizeof block);
    int ends[2];
    while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0) {
        for (int end = 0; end < 2; end++) {
            int large = 1 << 20;
            setsockopt(ends[end], SOL_SOCKET, SO_SNDBUF, &large, sizeof large);
            while (write(ends[end], block, sizeof block) > 0) {
            }
        }
    }
    sleep(2);
}

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    if (fork() == 0) {
        fill_all();
        _exit(0);
    }
    fill_all();
    wait(NULL);
    printf("%d\n", a + b);
    return 0;
}
