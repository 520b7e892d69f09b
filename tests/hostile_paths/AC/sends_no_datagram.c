// Tries to reach sockets of the machine through a pair of sockets, which every program may make.
#define _GNU_SOURCE
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
    int a, b, done = 0, pair[2];
    struct sockaddr_un named = {.sun_family = AF_UNIX, .sun_path = "{{folder}}/socket"};
    struct sockaddr_un abstract = {.sun_family = AF_UNIX, .sun_path = "\0{{folder}}"};
    socklen_t length = offsetof(struct sockaddr_un, sun_path) + sizeof "{{folder}}";
    scanf("%d %d", &a, &b);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)) return 1;
    done += sendto(pair[0], "x", 1, 0, (struct sockaddr *)&named, sizeof named) >= 0;
    done += sendto(pair[0], "x", 1, 0, (struct sockaddr *)&abstract, length) >= 0;
    done += !connect(pair[0], (struct sockaddr *)&named, sizeof named);
    done += !bind(pair[1], (struct sockaddr *)&abstract, length - 1);
    printf("%d\n", done ? -1 : a + b);
    return 0;
}
