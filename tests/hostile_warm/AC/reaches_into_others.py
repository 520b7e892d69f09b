# Tries to trace other processes, to write into their memory, and to read their files in /proc. Fails if that works.
import ctypes
import os
import sys

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_TRACEME, PTRACE_SEIZE = 16, 0, 0x4206
own = os.getpid()
seen = [name for name in os.listdir("/proc") if name.isdigit()]
if seen != [str(own)]:
    sys.exit(f"other processes are visible: {seen}")
for process in range(1, 64):
    if process == own:
        continue
    for request in (PTRACE_ATTACH, PTRACE_SEIZE):
        if libc.ptrace(request, process, 0, 0) == 0:
            sys.exit(f"traced {process}")
    for name in ("mem", "maps", "environ", "fd", "cwd", "root", "auxv", "stack", "syscall"):
        path = f"/proc/{process}/{name}"
        try:
            os.readlink(path) if name in ("cwd", "root") else os.listdir(path) if name == "fd" else open(path, "rb")
            sys.exit(f"opened {path}")
        except OSError:
            pass
    text = ctypes.create_string_buffer(8)

    class Part(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    part = Part(ctypes.addressof(text), 8)
    for call in (310, 311):
        if libc.syscall(call, process, ctypes.byref(part), 1, ctypes.byref(part), 1, 0) > 0:
            sys.exit(f"reached the memory of {process}")
    # pidfd_open, and get_robust_list
    if libc.syscall(434, process, 0) >= 0 or libc.syscall(274, process, ctypes.byref(text), ctypes.byref(part)) == 0:
        sys.exit(f"reached {process}")
print(sum(map(int, input().split())))
