# This program is right, and too long to be liked.
print(input())
