import sys
print(len(sys.argv) - 1)
for word in sys.argv[1:]:
    print(word)
