import sys
sys.stdout.write('999.5 abc\n')
