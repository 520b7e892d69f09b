# Sends real-time signals to all processes, until no more can wait.
import os
import signal

for number in range(signal.SIGRTMIN, signal.SIGRTMAX + 1):
    signal.signal(number, signal.SIG_IGN)
sent = 0
try:
    while sent < 4096:
        os.kill(-1, signal.SIGRTMIN + sent % 20)
        sent += 1
except OSError:
    pass
print(sum(map(int, input().split())))
