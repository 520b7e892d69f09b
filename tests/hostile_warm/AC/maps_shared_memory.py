# Fails if memory that it shares with its own children has been used by an earlier run.
import mmap
import os
import sys

shared = mmap.mmap(-1, 1 << 20)
if any(shared[:]):
    sys.exit("an earlier run used this memory")
if os.fork() == 0:
    shared[:4] = b"used"
    os._exit(0)
os.wait()
for path in ("/dev/shm/left", "/tmp/left", "left", "__pycache__/left"):
    try:
        open(path, "x")
        sys.exit(f"wrote {path}")
    except OSError:
        pass
print(sum(map(int, input().split())) if shared[:4] == b"used" else "not shared")
