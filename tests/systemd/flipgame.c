/* Solves the package flipgame: tries all sets of presses. */
#include <stdio.h>

int main(void) {
    int presses[16], board = 0, fewest = 17;
    for (int cell = 0; cell < 16; cell++) {
        int row = cell / 4, column = cell % 4;
        char letter;
        if (scanf(" %c", &letter) != 1) return 1;
        board |= (letter == 'b') << cell;
        presses[cell] = 1 << cell;
        if (row > 0) presses[cell] |= 1 << (cell - 4);
        if (row < 3) presses[cell] |= 1 << (cell + 4);
        if (column > 0) presses[cell] |= 1 << (cell - 1);
        if (column < 3) presses[cell] |= 1 << (cell + 1);
    }
    for (int set = 0; set < 1 << 16; set++) {
        int after = board, count = __builtin_popcount(set);
        for (int cell = 0; cell < 16; cell++)
            if (set >> cell & 1) after ^= presses[cell];
        if ((after == 0 || after == 0xffff) && count < fewest) fewest = count;
    }
    if (fewest > 16) puts("Impossible");
    else printf("%d\n", fewest);
}
