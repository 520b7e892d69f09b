# Ends with another code or signal on each case.
import atexit
import os
import signal
import sys

numbers = list(map(int, input().split()))
print(sum(numbers), flush=True)
way = sum(numbers) % 6
if way == 0:
    sys.exit("a message")
elif way == 1:
    os._exit(3)
elif way == 2:
    os.abort()
elif way == 3:
    os.kill(os.getpid(), signal.SIGTERM)
elif way == 4:
    atexit.register(os._exit, 5)
else:
    raise KeyboardInterrupt
