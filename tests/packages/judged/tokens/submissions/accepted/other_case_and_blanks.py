import sys
sys.stdout.write('\n  yES\t7   NO')
