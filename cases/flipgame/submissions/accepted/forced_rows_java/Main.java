// Chooses the presses of the first row in all 16 ways. From then on everything is forced: a piece of row r
// that has the wrong colour can only be mended by the piece below it. Done for both colours as the goal.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Main {
    static final int SIDE = 4;
    static final int FULL_ROW = (1 << SIDE) - 1;
    static final int NONE = Integer.MAX_VALUE;

    /** What pressing the set `presses` in a row changes in that same row. */
    static int spread(int presses) {
        return (presses ^ presses << 1 ^ presses >> 1) & FULL_ROW;
    }

    /** Rounds needed when the first row is pressed as given, or NONE if the last row does not come out right. */
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
