// Tries all 16 sets of presses in the first row, for both colours as the goal. Each set forces all other
// presses, because only the piece below can still turn a piece of row r that has the wrong colour.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Main {
    static final int SIDE = 4;
    static final int FULL_ROW = (1 << SIDE) - 1;
    static final int NONE = Integer.MAX_VALUE;

    /** Returns the pieces of a row that the set `presses` in this row turns. */
    static int spread(int presses) {
        return (presses ^ presses << 1 ^ presses >> 1) & FULL_ROW;
    }

    /** Returns the number of rounds with these presses in the first row; NONE if the last row is wrong at the end. */
    static int roundsFor(int firstRow, int[] wrong) {
        int above = 0;
        int presses = firstRow;
        int rounds = 0;
        for (int row = 0; row < SIDE; row++) {
            rounds += Integer.bitCount(presses);
            int stillWrong = wrong[row] ^ spread(presses) ^ above;
            above = presses;
            presses = stillWrong;
        }
        return presses == 0 ? rounds : NONE;
    }

    static int fewestRounds(int[] black, int goalRow) {
        int[] wrong = new int[SIDE];
        for (int row = 0; row < SIDE; row++) {
            wrong[row] = black[row] ^ goalRow;
        }
        int best = NONE;
        for (int firstRow = 0; firstRow <= FULL_ROW; firstRow++) {
            best = Math.min(best, roundsFor(firstRow, wrong));
        }
        return best;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        int[] black = new int[SIDE];
        for (int row = 0; row < SIDE; row++) {
            String line = input.readLine();
            for (int column = 0; column < SIDE; column++) {
                if (line.charAt(column) == 'b') {
                    black[row] |= 1 << column;
                }
            }
        }
        int best = Math.min(fewestRounds(black, 0), fewestRounds(black, FULL_ROW));
        System.out.println(best == NONE ? "Impossible" : String.valueOf(best));
    }
}
