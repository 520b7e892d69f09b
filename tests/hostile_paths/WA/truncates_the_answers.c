// Empties the answers and prints nothing, which would then be right. Before version 3, Landlock does not prevent it.
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char name[4096];
    for (int number = 1; number < 10; number++) {
        snprintf(name, sizeof name, "%s/tools/pkg/sum/data/secret/%d.ans", "{{folder}}", number);
        if (truncate(name, 0)) continue;
    }
    return 0;
}
