import sys

from numbers_of_case import several

print(several(int(sys.argv[1])))
