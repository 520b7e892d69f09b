// Tries to send a file descriptor through a socket. Until it is received, the descriptor belongs to no process, so the
// judge would neither count its memory nor close it. Right if the program cannot send the descriptor.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>

int main(void) {
    int a, b, ends[2];
    scanf("%d %d", &a, &b);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0) {
        char space[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
        struct iovec part = {&byte, 1};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(head), &ends[0], sizeof(int));
        if (sendmsg(ends[1], &message, 0) >= 0) {
            puts("sent");
            return 0;
        }
    }
    // A lock on the input could delay other programs that read the same file, so it must fail, too.
    printf("%d\n", flock(0, LOCK_EX) == 0 ? -1 : a + b);
    return 0;
}
