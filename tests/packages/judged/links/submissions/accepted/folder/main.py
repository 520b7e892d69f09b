import os
import lib

assert ".hidden" not in os.listdir(".")
print(lib.read())
