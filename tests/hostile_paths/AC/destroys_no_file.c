// Tries to empty and to mark a file of the judge's user.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

struct arguments { uint64_t value; uint32_t size, flags; };

int main(void) {
    int a, b, done = 0;
    const char *path = "{{folder}}/thesis.tex";
    struct arguments mark = {(uint64_t)(uintptr_t)"left by a submission", 20, 0};
    scanf("%d %d", &a, &b);
    done += !truncate(path, 0);
    done += open(path, O_RDONLY | O_TRUNC) >= 0;
    done += !setxattr(path, "user.mark", "x", 1, 0);
    done += !syscall(463 /* setxattrat */, AT_FDCWD, path, 0, "user.mark", &mark, sizeof mark);
    printf("%d\n", done ? -1 : a + b);
    return 0;
}
