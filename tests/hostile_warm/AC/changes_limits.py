# Lowers limits, priority and cores of all processes, and fails if an earlier run has changed its own.
import ctypes
import os
import resource
import sys

libc = ctypes.CDLL(None, use_errno=True)
KINDS = [resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_DATA, resource.RLIMIT_AS, resource.RLIMIT_FSIZE]
NORMAL = -1
if resource.getrlimit(resource.RLIMIT_NOFILE) != (1024, 1024):
    sys.exit("an earlier run changed the limit of open files")
for kind in (resource.RLIMIT_DATA, resource.RLIMIT_AS):
    if resource.getrlimit(kind)[0] not in (NORMAL, resource.RLIM_INFINITY):
        sys.exit("an earlier run changed the limit of memory")
if os.getpriority(os.PRIO_PROCESS, 0) != 0:
    sys.exit("an earlier run changed the priority")
if os.sched_getscheduler(0) != os.SCHED_OTHER:
    sys.exit("an earlier run changed the scheduling")
cores = os.sched_getaffinity(0)
if len(cores) < os.sysconf("SC_NPROCESSORS_ONLN"):
    sys.exit("an earlier run changed the cores")
if os.umask(0o777) == 0o777:
    sys.exit("an earlier run changed the umask")
os.chdir("/")
own = os.getpid()
for process in range(1, 64):
    if process == own:
        continue
    for kind in KINDS:
        try:
            resource.prlimit(process, kind, (20, 20))
            sys.exit(f"changed a limit of {process}")
        except (OSError, PermissionError):
            pass
    for change in (
        lambda: os.sched_setaffinity(process, {min(cores)}),
        lambda: os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0)),
        lambda: os.setpriority(os.PRIO_PROCESS, process, 19),
        lambda: os.setpriority(os.PRIO_USER, process, 19),
        lambda: os.setpriority(os.PRIO_PGRP, process, 19),
    ):
        try:
            change()
            sys.exit(f"changed {process}")
        except OSError:
            pass
    libc.syscall(251, 1, process, 3 << 13)
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
print(sum(map(int, input().split())))
