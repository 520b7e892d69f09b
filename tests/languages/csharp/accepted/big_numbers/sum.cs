using System;
using System.Linq;
using System.Numerics;

class Program {
    static void Main() {
        var numbers = Console.ReadLine().Split(' ').Select(BigInteger.Parse).ToArray();
        Console.WriteLine(Adder.Add(numbers[0], numbers[1]));
    }
}
