import sys
sys.stdout.write('Yes 7\r\nno\r\n')
