import sys
sys.stdout.write('nan abc\n')
