# Right if it sees no process but itself, can read nothing about its parent, and cannot kill its parent.
import os
import signal

a, b = map(int, input().split())
seen = [int(name) for name in os.listdir("/proc") if name.isdigit()] if os.path.isdir("/proc") else [os.getpid()]
trouble = [] if seen == [os.getpid()] else [f"sees {seen}"]
for path in ["/proc/1/root", "/proc/1/environ", "/proc/1/fd", f"/proc/{os.getppid()}/mem", "/proc/1/cwd"]:
    try:
        trouble.append(f"{path}: {os.listdir(path) if os.path.isdir(path) else open(path, 'rb').read(10)}")
    except OSError:
        pass
for name in [signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM, signal.SIGABRT]:
    try:
        os.kill(os.getppid(), name)
    except OSError:
        pass
for pid in range(2, 400):
    if pid != os.getpid():
        try:
            os.kill(pid, signal.SIGKILL)
            trouble.append(f"killed {pid}")
        except OSError:
            pass
print("; ".join(trouble) if trouble else a + b)
