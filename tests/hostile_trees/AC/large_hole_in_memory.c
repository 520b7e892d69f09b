// Maps 8 GB and uses one page. Only used pages count.
#include <stdio.h>
#include <sys/mman.h>

int main(void) {
    int a, b;
    scanf("%d %d", &a, &b);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    char *hole = mmap(NULL, 8ull << 30, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (hole == MAP_FAILED) {
        return 1;
    }
    hole[1ull << 30] = (char)a;
    printf("%d\n", hole[1ull << 30] + b);
    return 0;
}
