import sys
sys.stdout.write('inf abc\n')
