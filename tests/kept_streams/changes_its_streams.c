// Finds out whether its streams are as new, and then changes everything about them that a program can change. So the
// next run of the same program finds out whether the judge has undone that. Prints "as new", then much, in a single
// write: a pipe that does not block would take only the beginning.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define F_GET_HINT 1035
#define F_SET_HINT 1036
#define F_GETOWNER_UIDS 17
#define MUCH 300000

// Pages of the input's file, one of them beyond its end, whose place on the machine a program can ask for.
static void *page(int index) { return mmap(0, 4096, PROT_READ, MAP_SHARED, 0, index * 16 * 4096L); }
static const unsigned long first_node = 1;

static int has_other_owner(int stream) {
    int fresh[2];
    struct f_owner_ex owner = {0}, fresh_owner = {0};
    unsigned users[2] = {0}, fresh_users[2] = {0};
    if (pipe(fresh) != 0) return 1;
    fcntl(stream, F_GETOWN_EX, &owner);
    fcntl(fresh[1], F_GETOWN_EX, &fresh_owner);
    syscall(SYS_fcntl, stream, F_GETOWNER_UIDS, users);
    syscall(SYS_fcntl, fresh[1], F_GETOWNER_UIDS, fresh_users);
    close(fresh[0]);
    close(fresh[1]);
    return memcmp(&owner, &fresh_owner, sizeof owner) || memcmp(users, fresh_users, sizeof users);
}

static const char *difference(int stream, time_t began) {
    struct stat found;
    unsigned long long hint = 0;
    if (fstat(stream, &found) != 0) return "it has no properties";
    if (fcntl(stream, F_GETFL) & (O_NONBLOCK | O_APPEND | O_ASYNC)) return "it has flags";
    if (fcntl(stream, F_GETOWN) != 0) return "a process receives signals";
    if (has_other_owner(stream)) return "a process received signals";
    if (fcntl(stream, F_GETSIG) != 0) return "it has a signal";
    if (fcntl(stream, F_GET_HINT, &hint) == 0 && hint != 0) return "it has a hint";
    if (found.st_atime < began - 3 || found.st_mtime < began - 3 || found.st_ctime < began - 3) return "it is old";
    if (!(found.st_mode & S_IROTH)) return "others may not read it";
    if (stream == 0) {
        if (lseek(0, 0, SEEK_CUR) != 0) return "it has been read";
        for (int index = 0; index < 2; index++) {
            int policy = 0;
            if (syscall(SYS_get_mempolicy, &policy, 0, 0, page(index), 2ul) == 0 && policy != 0) return "it has a place";
        }
    } else if (fcntl(stream, F_GETPIPE_SZ) != 65536) {
        return "its size differs";
    }
    return NULL;
}

static void make_old(int stream) {
    struct timespec old[2] = {{1000, 0}, {2000, 0}};
    futimens(stream, old);
}

static void change(int stream) {
    unsigned long long hint = 2;
    if (stream == 0) lseek(0, 3, SEEK_SET);
    fcntl(stream, F_SET_HINT, &hint);
    fcntl(stream, F_SETPIPE_SZ, 4096);
    fcntl(stream, F_SETSIG, SIGURG);
    fcntl(stream, F_SETOWN, getppid() > 0 ? getppid() : 1);
    make_old(stream);
    fchmod(stream, 0);
    fcntl(stream, F_SETFL, O_NONBLOCK | O_APPEND);
}

static void place(int stream) {
    struct f_owner_ex own = {F_OWNER_PID, getpid()};
    fcntl(stream, F_SETOWN_EX, &own);
    for (int index = 0; stream == 0 && index < 2; index++) {
        syscall(SYS_mbind, page(index), 4096ul, 2, &first_node, 64ul, 0ul);
    }
}

int main(void) {
    static char text[MUCH], word[32];
    time_t began = time(NULL);
    for (int stream = 0; stream < 3; stream++) {
        const char *found = difference(stream, began);
        if (found) {
            printf("stream %d: %s\n", stream, found);
            return 0;
        }
    }
    if (read(0, word, sizeof word - 1) < 6) return 2;
    memset(text, ' ', sizeof text);
    memcpy(text, "as new ", 7);
    memcpy(text + sizeof text - 6, word, 6);
    if (write(1, text, sizeof text) != sizeof text) return 3;
    // "keep": leave them, so that the judge uses them again. Other words: change them.
    for (int stream = 0; stream < 3; stream++) {
        if (word[0] == 't') make_old(stream);
        if (word[0] == 's') change(stream);
        if (word[0] == 'p') place(stream);
    }
    return 0;
}
