import java.util.Scanner;

class Difference {
    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        System.out.println(in.nextInt() - in.nextInt());
    }
}
