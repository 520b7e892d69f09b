import sys
print("AC 1")
sys.exit("no idea")
