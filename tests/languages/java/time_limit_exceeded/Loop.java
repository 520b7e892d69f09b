class Loop {
    public static void main(String[] arguments) {
        while (true) {
        }
    }
}
