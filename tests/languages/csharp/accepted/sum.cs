using System;
using System.Linq;

class Program {
    static void Main() {
        var numbers = Console.ReadLine().Split(' ').Select(int.Parse).ToArray();
        Console.WriteLine(numbers[0] + numbers[1]);
    }
}
