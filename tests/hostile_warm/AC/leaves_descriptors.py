# Fails if it has other descriptors than its streams, or if its input has been read. Then opens many and closes its own.
import os
import stat
import sys

opened = []
for number in range(1024):
    try:
        os.fstat(number)
        opened.append(number)
    except OSError:
        pass
if opened != [0, 1, 2]:
    sys.exit(f"descriptors: {opened}")
if not stat.S_ISREG(os.fstat(0).st_mode) or os.lseek(0, 0, os.SEEK_CUR) != 0:
    sys.exit("the input has been read")
if not all(stat.S_ISFIFO(os.fstat(number).st_mode) for number in (1, 2)) or os.path.sameopenfile(1, 2):
    sys.exit("the outputs are not two pipes")
right = sum(map(int, sys.stdin.readline().split()))
for _ in range(200):
    os.set_inheritable(os.open("/usr", os.O_RDONLY), True)
os.write(1, f"{right}\n".encode())
for number in range(1024):
    try:
        os.close(number)
    except OSError:
        pass
os._exit(0)
