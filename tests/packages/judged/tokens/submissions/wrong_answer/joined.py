import sys
sys.stdout.write('Yes7\nno\n')
