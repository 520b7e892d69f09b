// Every process forks. At the limit of processes, all of them keep trying.
#include <unistd.h>

int main(void) {
    for (;;) {
        fork();
    }
}
