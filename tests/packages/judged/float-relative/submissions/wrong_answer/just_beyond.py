import sys
sys.stdout.write('1001.0000001 abc\n')
