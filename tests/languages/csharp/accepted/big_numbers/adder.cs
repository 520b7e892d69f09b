using System.Numerics;

static class Adder {
    public static BigInteger Add(BigInteger a, BigInteger b) {
        return a + b;
    }
}
