// Tries to create every kind of socket and to connect. Right if every attempt fails.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef AF_VSOCK
#define AF_VSOCK 40
#endif

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK, AF_BLUETOOTH, AF_ALG};
    int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};
    for (unsigned f = 0; f < sizeof families / sizeof *families; f++) {
        for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            int found = socket(families[f], kinds[k], 0);
            if (found < 0) {
                continue;
            }
            struct sockaddr_in loopback = {.sin_family = AF_INET, .sin_port = htons(22)};
            loopback.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            int connected = connect(found, (struct sockaddr *)&loopback, sizeof loopback);
            printf("socket %d %d, connected %d\n", families[f], kinds[k], connected);
            return 0;
        }
    }
    printf("%d\n", a + b);
    return 0;
}
