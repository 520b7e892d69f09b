// Recursion with large frames: it uses two hundred megabytes of stack, and as much heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long down(int depth, char *above);

// Because of the volatile pointer, the compiler cannot remove the recursion.
static long (*volatile further)(int, char *) = down;

static long down(int depth, char *above) {
    char frame[1 << 20];
    memset(frame, depth, sizeof frame);
    long below = depth == 0 ? 0 : further(depth - 1, frame);
    return below + frame[depth] + above[depth];
}

int main(void) {
    char *more = malloc(200 << 20);
    memset(more, 1, 200 << 20);
    printf("%ld\n", further(200, more));
    return 0;
}
