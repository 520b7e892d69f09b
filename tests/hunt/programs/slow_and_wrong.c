// For the puzzle coins. Never ends on two coins, and is wrong on all other rows.
#include <stdio.h>
#include <string.h>

int main(void) {
    char row[16];
    scanf("%15s", row);
    for (volatile int forever = strlen(row) == 2; forever;) {}
    puts("99");
}
