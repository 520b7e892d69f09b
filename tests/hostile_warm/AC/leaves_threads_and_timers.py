# Fails if a signal is blocked, ignored, pending or timed by an earlier run. Then leaves threads, timers and handlers.
import atexit
import os
import signal
import sys
import threading
import time

if threading.active_count() != 1 or threading.current_thread() is not threading.main_thread():
    sys.exit("an earlier run left a thread")
if signal.pthread_sigmask(signal.SIG_BLOCK, []) or signal.sigpending():
    sys.exit("an earlier run blocked a signal")
if signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0):
    sys.exit("an earlier run left a timer")
for number in set(range(1, 65)) - {9, 19, 32, 33}:
    default = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGPIPE: signal.SIG_IGN,
        signal.SIGXFSZ: signal.SIG_IGN,
    }
    if signal.getsignal(number) != default.get(number, signal.SIG_DFL):
        sys.exit(f"an earlier run changed the handler of {number}")
signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
signal.signal(signal.SIGTERM, lambda *_: os._exit(3))
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR1})
os.kill(os.getpid(), signal.SIGUSR1)
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
atexit.register(lambda: sys.stdout.flush())
print(sum(map(int, input().split())))
