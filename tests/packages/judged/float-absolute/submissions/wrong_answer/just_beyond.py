import sys
sys.stdout.write('1000.5000001 abc\n')
