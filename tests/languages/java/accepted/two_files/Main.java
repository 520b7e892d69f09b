import java.util.Scanner;

public class Main {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        System.out.println(Adder.add(in.nextInt(), in.nextInt()));
    }
}
