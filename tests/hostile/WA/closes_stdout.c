// Says nothing, and closes the pipe so that nothing more can be said.
#include <unistd.h>

int main(void) {
    close(1);
    return 0;
}
