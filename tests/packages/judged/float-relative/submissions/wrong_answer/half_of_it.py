import sys
sys.stdout.write('500 abc\n')
