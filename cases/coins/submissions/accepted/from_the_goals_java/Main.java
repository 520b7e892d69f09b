// One breadth-first search, from the goals until it meets the start, on 64-bit
// rows. A row and its mirror image count as one. A move can be undone by a move.
// So a row one move away from a level lies in that level, in the level before or
// in the next level. The search needs only sorted levels and no table of all
// rows. Afterwards, the program finds the path: from the start, it steps again
// and again to a row of the level before.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Scanner;

public class Main {
    /** Bits 0..53: occupied cells, bit 0 set. Bits 54..62: the colour of each coin by rank, set for A. */
    static final int CELLS = 54;
    static final long CELL_MASK = (1L << CELLS) - 1;
    /** No wider row can be sorted within 40 moves, because a move narrows the row by at most two cells. */
    static final int WIDEST = 49;

    static int coins;
    /** Rows by their distance from the nearer goal, each level in ascending order. */
    static final List<long[]> levels = new ArrayList<>();
    /** At most two moves for each of eight pairs. */
    static long[] found = new long[16];

    static long pack(String text) {
        long row = (1L << text.length()) - 1;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == 'A') row |= 1L << (CELLS + i);
        }
        return row;
    }

    static String show(long row) {
        StringBuilder text = new StringBuilder();
        int rank = CELLS;
        for (int cell = 0; (row & CELL_MASK) >>> cell != 0; cell++) {
            if ((row >>> cell & 1) == 0) text.append('.');
            else text.append((row >>> rank++ & 1) == 1 ? 'A' : 'B');
        }
        return text.toString();
    }

    static long canonical(long row) {
        long cells = Long.reverse(row & CELL_MASK);
        cells >>>= Long.numberOfTrailingZeros(cells);
        long colours = Long.reverse(row >>> CELLS) >>> (64 - coins);
        return Math.min(row, cells | colours << CELLS);
    }

    /** Moves the two colours at the given rank to another rank. */
    static long reorder(long colours, int rank, int to) {
        long pair = colours >>> rank & 3;
        long rest = colours & ((1L << rank) - 1) | colours >>> (rank + 2) << rank;
        return rest & ((1L << to) - 1) | pair << to | rest >>> to << (to + 2);
    }

    /** Fills {@code found} with the rows one move away and returns their number. */
    static int moves(long row) {
        long occupied = (row & CELL_MASK) << 2;
        long colours = row >>> CELLS;
        int count = 0;
        int rank = 0;
        for (int cell = 2; occupied >>> (cell + 1) != 0; cell++) {
            if ((occupied >>> cell & 1) == 0) continue;
            long pair = colours >>> rank & 3;
            if ((occupied >>> (cell + 1) & 1) == 1 && (pair == 1 || pair == 2)) {
                long lifted = occupied & ~(3L << cell);
                int above = Long.numberOfTrailingZeros(~(occupied >>> (cell + 2)));
                int below = Long.numberOfLeadingZeros(~(occupied << (64 - cell)));
                if (above > 0) {
                    count = keep(lifted | 3L << (cell + 2 + above), reorder(colours, rank, rank + above), count);
                }
                if (below > 0) {
                    count = keep(lifted | 3L << (cell - below - 2), reorder(colours, rank, rank - below), count);
                }
            }
            rank++;
        }
        return count;
    }

    static int keep(long occupied, long colours, int count) {
        long cells = occupied >>> Long.numberOfTrailingZeros(occupied);
        if (cells >>> WIDEST != 0) return count;
        found[count] = cells | colours << CELLS;
        return count + 1;
    }

    static boolean contains(long[] level, long key) {
        return Arrays.binarySearch(level, key) >= 0;
    }

    /** The rows that are one move from {@code level}, but neither in it nor in the level {@code before}. */
    static long[] next(long[] level, long[] before) {
        long[] reached = new long[level.length * found.length];
        int used = 0;
        for (long row : level) {
            int count = moves(row);
            for (int i = 0; i < count; i++) reached[used++] = canonical(found[i]);
        }
        Arrays.sort(reached, 0, used);
        int kept = 0;
        for (int i = 0; i < used; i++) {
            long key = reached[i];
            boolean isRepeated = kept > 0 && reached[kept - 1] == key;
            if (!isRepeated && !contains(level, key) && !contains(before, key)) reached[kept++] = key;
        }
        return Arrays.copyOf(reached, kept);
    }

    /** The distance of the start from the nearer goal, or -1. */
    static int search(long start, long goal, int limit) {
        long wanted = canonical(start);
        long[] before = {};
        long[] level = {canonical(goal)};
        for (int distance = 0; level.length > 0; distance++) {
            levels.add(level);
            if (contains(level, wanted)) return distance;
            if (distance == limit) break;
            long[] after = next(level, before);
            before = level;
            level = after;
        }
        return -1;
    }

    static long nearer(long row, int distance) {
        int count = moves(row);
        for (int i = 0; i < count; i++) {
            if (contains(levels.get(distance), canonical(found[i]))) return found[i];
        }
        throw new IllegalStateException("a row without a nearer neighbour");
    }

    /** A necessary condition (see the solution). It excludes most impossible starts without a search. */
    static boolean invariantAllows(String text) {
        int a = 0, b = 0, value = 0;
        for (int i = 0; i < text.length(); i++) {
            boolean isA = text.charAt(i) == 'A';
            value += isA ? i : -i;
            if (isA) a++;
            else b++;
        }
        int first = value - (a * (a - 1) / 2 - a * b - b * (b - 1) / 2);
        int second = first - 2 * a * b;
        int period = 2 * Math.abs(a - b);
        if (period == 0) return first == 0 || second == 0;
        return first % period == 0 || second % period == 0;
    }

    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        String text = in.next();
        int limit = in.nextInt();
        coins = text.length();
        String sorted = text.replace("B", "") + text.replace("A", "");
        long row = pack(text);
        int distance = invariantAllows(text) ? search(row, pack(sorted), limit) : -1;
        if (distance < 0) {
            System.out.println("Impossible");
            return;
        }
        StringBuilder out = new StringBuilder();
        out.append(distance).append('\n').append(show(row)).append('\n');
        while (distance > 0) {
            row = nearer(row, --distance);
            out.append(show(row)).append('\n');
        }
        System.out.print(out);
    }
}
