// Breadth-first search over boards stored in a short, which has exactly the sixteen bits needed.
// Mistake: a short with all bits set is -1 and never equals 0xffff, so the black field is never recognised.
// Caught by secret/10-centre-on-black.
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Scanner;

public class Main {
    static short press(int cell) {
        int changed = 0;
        for (int other = 0; other < 16; other++) {
            int rows = Math.abs(other / 4 - cell / 4);
            int columns = Math.abs(other % 4 - cell % 4);
            if (rows + columns <= 1) {
                changed |= 1 << other;
            }
        }
        return (short) changed;
    }

    static Integer fewestRounds(short start) {
        Map<Short, Integer> rounds = new HashMap<>();
        ArrayDeque<Short> waiting = new ArrayDeque<>();
        rounds.put(start, 0);
        waiting.add(start);
        while (!waiting.isEmpty()) {
            short board = waiting.poll();
            if (board == 0 || board == 0xffff) {
                return rounds.get(board);
            }
            for (int cell = 0; cell < 16; cell++) {
                short next = (short) (board ^ press(cell));
                if (rounds.putIfAbsent(next, rounds.get(board) + 1) == null) {
                    waiting.add(next);
                }
            }
        }
        return null;
    }

    public static void main(String[] args) {
        Scanner input = new Scanner(System.in);
        short board = 0;
        for (int row = 0; row < 4; row++) {
            String line = input.next();
            for (int column = 0; column < 4; column++) {
                if (line.charAt(column) == 'b') {
                    board |= (short) (1 << (4 * row + column));
                }
            }
        }
        Integer rounds = fewestRounds(board);
        System.out.println(rounds == null ? "Impossible" : rounds.toString());
    }
}
