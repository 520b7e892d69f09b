using System;
using System.Linq;

class Program {
    static void Main() {
        throw new Exception("on purpose");
    }
}
