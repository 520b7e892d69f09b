import sys
sys.stdout.write('1000 abd\n')
