import sys
sys.stdout.write('1e3 ABC\n')
