import sys
sys.stdout.write('abc abc\n')
