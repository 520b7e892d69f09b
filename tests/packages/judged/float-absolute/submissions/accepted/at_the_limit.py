import sys
sys.stdout.write('1000.5 abc\n')
