# Kills its process group, which contains only itself.
import os
import signal

print(sum(map(int, input().split())), flush=True)
os.killpg(0, signal.SIGKILL)
