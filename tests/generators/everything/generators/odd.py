# Fails for even seeds.
import sys
seed = int(sys.argv[1])
if seed % 2 == 0:
    sys.exit(1)
print(seed)
