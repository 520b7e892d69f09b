// Reads on after the end of its input, as a loop without a check for the end does.
#include <stdio.h>

int main(void) {
    int value = 0;
    while (value != -1) {
        scanf("%d", &value);
    }
    return 0;
}
