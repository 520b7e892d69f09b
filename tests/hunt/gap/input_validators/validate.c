// A number n from 2 to 10, then n numbers from 0 to 99 with one space between, each line ended by one line feed.
#include <stdio.h>
#include <string.h>

int main(void) {
    char text[256], again[256];
    int n, number, used = 0, length = fread(text, 1, sizeof text - 1, stdin);
    text[length] = 0;
    const char *rest = text;
    if (sscanf(rest, "%d\n%n", &n, &used) != 1 || n < 2 || n > 10) return 43;
    int written = sprintf(again, "%d\n", n);
    rest += used;
    for (int i = 0; i < n; i++) {
        if (sscanf(rest, "%d%n", &number, &used) != 1 || number < 0 || number > 99) return 43;
        rest += used;
        written += sprintf(again + written, "%d%c", number, i + 1 < n ? ' ' : '\n');
    }
    return length == written && memcmp(text, again, length) == 0 ? 42 : 43;
}
