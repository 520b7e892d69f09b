// Sends a datagram from a socket of a pair to another socket of the machine, and waits for connections. Right if it can
// do neither, and if the pair itself works.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(void) {
    int a, b, pair[2];
    char text[3] = {0};
    scanf("%d %d", &a, &b);
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) return 1;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const char *paths[] = {"/dev/log", "/run/systemd/notify", "/run/systemd/journal/socket", "/no/such/socket"};
    int reached = 0;
    for (int i = 0; i < 4; i++) {
        strcpy(address.sun_path, paths[i]);
        reached |= sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address) >= 0;
        reached |= connect(pair[0], (struct sockaddr *)&address, sizeof address) == 0;
    }
    memcpy(address.sun_path, "\0anybody", 8);
    reached |= bind(pair[1], (struct sockaddr *)&address, sizeof(sa_family_t) + 8) == 0;
    int works = send(pair[0], "ok", 2, 0) == 2 && recv(pair[1], text, 2, 0) == 2 && strcmp(text, "ok") == 0;
    printf("%d\n", !reached && works ? a + b : -1);
    return 0;
}
