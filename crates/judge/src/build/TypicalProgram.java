import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.*;
import java.util.function.IntBinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Uses what submissions use, so that the compiler loads the classes that it needs for them. It is never run. */
public class TypicalProgram {
    static final int SIZE = 1 << 10;
    static int[][] table = new int[SIZE][2];
    private final Map<String, List<Integer>> byName = new HashMap<>();

    interface Shape {
        double area();

        default boolean isLarge() {
            return area() > 1e3;
        }
    }

    enum Kind {
        SQUARE,
        CIRCLE
    }

    static class Square implements Shape, Comparable<Square> {
        final double side;

        Square(double side) {
            this.side = side;
        }

        @Override
        public double area() {
            return side * side;
        }

        @Override
        public int compareTo(Square other) {
            return Double.compare(side, other.side);
        }
    }

    static <T extends Comparable<T>> T largest(Collection<? extends T> all) {
        T best = null;
        for (T one : all) if (best == null || one.compareTo(best) > 0) best = one;
        return best;
    }

    long sum(int... numbers) {
        long sum = 0L;
        for (int number : numbers) sum += number % 7 == 0 ? number : -number & 0xff;
        do sum >>>= 1; while (sum > SIZE);
        return sum;
    }

    String named(Kind kind, char letter) {
        switch (kind) {
            case SQUARE:
                return "square" + letter;
            default:
                return String.format("%s %5.2f", kind, 0.5f);
        }
    }

    static class Failure extends RuntimeException {
        Failure(String message, Throwable cause) {
            super(message, cause);
        }
    }

    public static void main(String[] arguments) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(System.in))) {
            StringTokenizer words = new StringTokenizer(reader.readLine());
            int n = Integer.parseInt(words.nextToken());
            Scanner scanner = new Scanner(reader);
            PriorityQueue<Square> queue = new PriorityQueue<>((a, b) -> Double.compare(b.side, a.side));
            Deque<int[]> open = new ArrayDeque<>();
            TypicalProgram program = new TypicalProgram();
            outer:
            for (int i = 0; i < n && scanner.hasNextInt(); i++) {
                int next = scanner.nextInt();
                queue.add(new Square(next));
                open.push(new int[] {next, i});
                program.byName.computeIfAbsent("n" + next, key -> new ArrayList<>()).add(i);
                while (!open.isEmpty()) {
                    if (open.peek()[0] == 0) continue outer;
                    table[i % SIZE][1] ^= open.pop()[0];
                }
            }
            IntBinaryOperator larger = Math::max;
            List<String> names = program.byName.keySet().stream().sorted().collect(Collectors.toList());
            Collections.sort(names, Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()));
            int total = IntStream.range(0, n).map(i -> i * i).filter(i -> (i & 1) == 0).reduce(0, larger);
            Object lock = new Object() {
                @Override
                public String toString() {
                    return "lock " + n;
                }
            };
            synchronized (lock) {
                Thread thread = new Thread(() -> System.err.println(lock));
                thread.start();
            }
            StringBuilder text = new StringBuilder();
            for (Map.Entry<String, List<Integer>> entry : program.byName.entrySet())
                text.append(entry.getKey()).append(' ').append(entry.getValue().size()).append('\n');
            System.out.print(text);
            System.out.printf("%d %s%n", total + program.sum(1, 2, 3), largest(queue) instanceof Shape);
        } catch (NumberFormatException | NullPointerException error) {
            throw new Failure("no number", error);
        } finally {
            System.out.flush();
        }
    }
}
