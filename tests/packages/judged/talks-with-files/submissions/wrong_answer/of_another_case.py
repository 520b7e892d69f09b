input()
print("a b/c", flush=True)
input()
print("one", flush=True)
