import os
import random
import sys

random.seed(os.path.basename(os.path.dirname(os.path.abspath(__file__))))
print(random.randrange(10**9), *sys.argv[1:])
