// Closes standard output without printing anything.
#include <unistd.h>

int main(void) {
    close(1);
    return 0;
}
