import platform

print(platform.python_implementation())
