# Uses threads, a child, a pipe, its source, random numbers, the clock and streams by name. Right if all of these work.
import os
import subprocess
import sys
import threading
import time

a, b = map(int, open("/dev/stdin").read().split())
found = []
threads = [threading.Thread(target=lambda: found.append(1)) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
child = subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True, text=True)
right = (len(found) == 8 and child.stdout == "42\n" and len(os.urandom(8)) == 8 and time.time() > 1e9
         and "honest" in open(__file__).read().lower() and open("/dev/null").read() == "")
with open("/dev/stdout", "w") as out:
    print(a + b if right else child, file=out)
