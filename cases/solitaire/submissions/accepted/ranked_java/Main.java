// Numbers the C(64,4) = 635,376 configurations without gaps (combinatorial
// number system) and stores the distances from both ends in byte arrays, so it
// needs no hashing. Always expands the smaller of the two frontiers by one level,
// until it has expanded eight levels or the frontiers meet.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.StringTokenizer;

public class Main {
    static final int CONFIGURATIONS = 635_376;
    static final int MOVES = 8;
    static final int[][] CHOOSE = pascal();

    static int[][] pascal() {
        int[][] choose = new int[65][5];
        for (int n = 0; n <= 64; n++) {
            choose[n][0] = 1;
            for (int k = 1; k <= 4 && n > 0; k++) choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
        }
        return choose;
    }

    // The squares must be in ascending order.
    static int rank(int[] squares) {
        int rank = 0;
        for (int i = 0; i < 4; i++) rank += CHOOSE[squares[i]][i + 1];
        return rank;
    }

    static void unrank(int rank, int[] squares) {
        int square = 63;
        for (int i = 3; i >= 0; i--) {
            while (CHOOSE[square][i + 1] > rank) square--;
            squares[i] = square;
            rank -= CHOOSE[square][i + 1];
        }
    }

    /** One end of the search: the configurations that were reached, and the last level. */
    static final class End {
        final boolean[] reached = new boolean[CONFIGURATIONS];
        final int[] touched = new int[CONFIGURATIONS];
        int first, last;

        void begin(int configuration) {
            for (int i = 0; i < last; i++) reached[touched[i]] = false;
            first = last = 0;
            add(configuration);
        }

        void add(int configuration) {
            if (reached[configuration]) return;
            reached[configuration] = true;
            touched[last++] = configuration;
        }

        /** Adds the next level. Returns whether the other end has already reached one of its configurations. */
        boolean grow(End other) {
            int[] squares = new int[4];
            int levelEnd = last;
            for (; first < levelEnd; first++) {
                unrank(touched[first], squares);
                expand(squares);
            }
            for (int i = levelEnd; i < last; i++) if (other.reached[touched[i]]) return true;
            return false;
        }

        void expand(int[] squares) {
            for (int piece = 0; piece < 4; piece++) {
                int row = squares[piece] >> 3, column = squares[piece] & 7;
                move(squares, piece, row > 0, row > 1, -8);
                move(squares, piece, row < 7, row < 6, 8);
                move(squares, piece, column > 0, column > 1, -1);
                move(squares, piece, column < 7, column < 6, 1);
            }
        }

        void move(int[] squares, int piece, boolean stepInside, boolean jumpInside, int offset) {
            if (!stepInside) return;
            int to = squares[piece] + offset;
            if (occupied(squares, to)) {
                to += offset;
                if (!jumpInside || occupied(squares, to)) return;
            }
            int[] moved = squares.clone();
            moved[piece] = to;
            Arrays.sort(moved);
            add(rank(moved));
        }

        static boolean occupied(int[] squares, int square) {
            for (int other : squares) if (other == square) return true;
            return false;
        }

        int frontier() {
            return last - first;
        }
    }

    static boolean reachable(End a, End b, int start, int goal) {
        a.begin(start);
        b.begin(goal);
        if (start == goal) return true;
        for (int move = 0; move < MOVES; move++) {
            boolean met = a.frontier() <= b.frontier() ? a.grow(b) : b.grow(a);
            if (met) return true;
        }
        return false;
    }

    static int parse(String line) {
        StringTokenizer tokens = new StringTokenizer(line);
        int[] squares = new int[4];
        for (int i = 0; i < 4; i++) {
            int row = Integer.parseInt(tokens.nextToken());
            int column = Integer.parseInt(tokens.nextToken());
            squares[i] = 8 * (row - 1) + column - 1;
        }
        Arrays.sort(squares);
        return rank(squares);
    }

    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        End a = new End(), b = new End();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            boolean yes = reachable(a, b, parse(line), parse(in.readLine()));
            out.append(yes ? "YES\n" : "NO\n");
        }
        System.out.print(out);
    }
}
