import sys
sys.stdout.write('1001 abc\n')
