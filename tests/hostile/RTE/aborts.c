// Aborts, as a failed assertion does.
#include <stdlib.h>

int main(void) {
    abort();
}
