/* Two numbers from 1 to 100 on one line. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[64], again[64];
    int a, b;
    if (!fgets(line, sizeof line, stdin) || getchar() != EOF) return 43;
    if (sscanf(line, "%d %d", &a, &b) != 2 || a < 1 || a > 100 || b < 1 || b > 100) return 43;
    snprintf(again, sizeof again, "%d %d\n", a, b);
    return strcmp(line, again) ? 43 : 42;
}
