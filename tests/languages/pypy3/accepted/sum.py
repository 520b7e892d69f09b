import platform

assert platform.python_implementation() == "PyPy"
print(sum(map(int, input().split())))
