import os
name = input()
if os.path.exists(name):
    open(name, "w")
print(name)
