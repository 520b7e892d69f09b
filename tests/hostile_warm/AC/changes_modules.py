# Changes modules and built-in functions, and fails if an earlier run has changed them.
import builtins
import random
import sys

if "poison" in sys.modules or hasattr(builtins, "poison") or hasattr(sys, "poison"):
    sys.exit("an earlier run changed this one")
sys.modules["poison"] = random
builtins.poison = sys.poison = True
numbers = list(map(int, input().split()))
right = sum(numbers)
builtins.sum = lambda _: 0
sys.setrecursionlimit(50)
random.seed(1)
print(right)
