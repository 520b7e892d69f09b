# Wrong if it finds a file of an earlier run.
import os

a, b = map(int, input().split())
own = [os.path.basename(__file__), "__pycache__"]
found = [name for name in os.listdir(".") if name not in own]
found += [name for name in os.listxattr(".") if name.startswith("user.")]
with open("mark", "w") as file:
    file.write("an earlier run")
try:
    os.setxattr(".", "user.mark", b"1")
    os.chmod(".", 0o500)
except OSError:
    pass
print(found if found else a + b)
