import java.util.Arrays;
import java.util.Scanner;

/**
 * Cheapest assignment of all start blacks to all goal blacks by the Hungarian
 * method (shortest augmenting paths with potentials). Then the blacks move. A
 * black in the way moves first. If it stands on its own goal already, the two
 * blacks exchange their goals, which does not change the total.
 */
public class Main {
    static final int CELLS = 16;
    static final StringBuilder moves = new StringBuilder();
    static int moveCount = 0;

    static int distance(int a, int b) {
        return Math.abs(a / 4 - b / 4) + Math.abs(a % 4 - b % 4);
    }

    static int[] cellsOfBlacks(String board) {
        int[] cells = new int[CELLS];
        int count = 0;
        for (int cell = 0; cell < CELLS; cell++) {
            if (board.charAt(cell) == '1') {
                cells[count++] = cell;
            }
        }
        return Arrays.copyOf(cells, count);
    }

    /** Returns owner[j]: the number of the start black that gets goal j. Both are counted from 1. */
    static int[] assign(int[] from, int[] to) {
        int n = from.length;
        int[] rowPotential = new int[n + 1];
        int[] columnPotential = new int[n + 1];
        int[] owner = new int[n + 1];
        for (int row = 1; row <= n; row++) {
            int[] slack = new int[n + 1];
            int[] previous = new int[n + 1];
            boolean[] done = new boolean[n + 1];
            Arrays.fill(slack, Integer.MAX_VALUE);
            owner[0] = row;
            int column = 0;
            while (owner[column] != 0) {
                done[column] = true;
                int current = owner[column];
                int delta = Integer.MAX_VALUE;
                int best = -1;
                for (int j = 1; j <= n; j++) {
                    if (done[j]) {
                        continue;
                    }
                    int reduced = distance(from[current - 1], to[j - 1])
                        - rowPotential[current] - columnPotential[j];
                    if (reduced < slack[j]) {
                        slack[j] = reduced;
                        previous[j] = column;
                    }
                    if (slack[j] < delta) {
                        delta = slack[j];
                        best = j;
                    }
                }
                for (int j = 0; j <= n; j++) {
                    if (done[j]) {
                        rowPotential[owner[j]] += delta;
                        columnPotential[j] -= delta;
                    } else {
                        slack[j] -= delta;
                    }
                }
                column = best;
            }
            while (column != 0) {
                owner[column] = owner[previous[column]];
                column = previous[column];
            }
        }
        return owner;
    }

    static int stepTowards(int cell, int goal) {
        if (cell % 4 != goal % 4) {
            return cell % 4 < goal % 4 ? cell + 1 : cell - 1;
        }
        return cell < goal ? cell + 4 : cell - 4;
    }

    /** goalOf[cell] is the goal of the black on that cell, -1 for a white cell. */
    static void advance(int[] goalOf, int cell) {
        int next = stepTowards(cell, goalOf[cell]);
        if (goalOf[next] == next) {
            goalOf[next] = goalOf[cell];
            goalOf[cell] = next;
        }
        if (goalOf[next] >= 0) {
            advance(goalOf, next);
        }
        goalOf[next] = goalOf[cell];
        goalOf[cell] = -1;
        moveCount++;
        for (int c : new int[] {cell, next}) {
            moves.append(c / 4 + 1).append(c % 4 + 1);
        }
        moves.append('\n');
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        StringBuilder digits = new StringBuilder();
        while (in.hasNext()) {
            digits.append(in.next());
        }
        int[] from = cellsOfBlacks(digits.substring(0, CELLS));
        int[] to = cellsOfBlacks(digits.substring(CELLS));
        int[] owner = assign(from, to);
        int[] goalOf = new int[CELLS];
        Arrays.fill(goalOf, -1);
        for (int j = 1; j < owner.length; j++) {
            goalOf[from[owner[j] - 1]] = to[j - 1];
        }
        int cell = 0;
        while (cell < CELLS) {
            if (goalOf[cell] < 0 || goalOf[cell] == cell) {
                cell++;
            } else {
                advance(goalOf, cell);
                cell = 0; // a black may have moved to a cell that the loop has passed
            }
        }
        System.out.print(moveCount + "\n" + moves);
    }
}
