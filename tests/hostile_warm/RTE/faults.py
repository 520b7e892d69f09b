# Reads an address that does not exist.
import ctypes

print(sum(map(int, input().split())), flush=True)
ctypes.string_at(8)
