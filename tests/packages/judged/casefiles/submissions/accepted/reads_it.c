#include <stdio.h>
int main(void) {
    char name[99], line[99];
    if (scanf("%98s", name) != 1) return 1;
    FILE *file = fopen(name, "r");
    if (file == NULL) { puts(name); return 0; }
    if (fscanf(file, "%98s", line) != 1) return 1;
    puts(line);
    return 0;
}
