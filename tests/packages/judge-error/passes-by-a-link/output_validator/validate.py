import os
import sys

os.symlink(sys.argv[1], sys.argv[3] + "nextpass.in")
sys.exit(42)
