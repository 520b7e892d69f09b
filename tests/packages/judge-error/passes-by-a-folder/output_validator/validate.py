import os
import sys

os.mkdir(sys.argv[3] + "nextpass.in")
sys.exit(42)
