import sys
from part import text
print("tree", text(sys.argv[1]))
