# Fails if it can notice that it was not started by the command that names it.
import gc
import os
import sys
import inspect
import traceback

OWN = os.path.abspath(sys.argv[0])


def check(holds, what):
    if not holds:
        sys.exit(what)


check(sys._getframe().f_back is None, "a frame of another program")
check(__name__ == "__main__" and sys.modules["__main__"].__dict__ is globals(), "another main module")
check(__file__ == sys.argv[0] == OWN and len(sys.argv) == 1 and sys.orig_argv[1:] == [OWN], "other arguments")
check(sys.path[0] == os.path.dirname(OWN) == os.getcwd(), "another path of modules")
check(__spec__ is None and __package__ is None and type(__loader__).__name__ == "SourceFileLoader", "another loader")
own = {"__name__", "__doc__", "__package__", "__loader__", "__spec__", "__annotations__", "__builtins__", "__file__"}
own |= {"__cached__", "gc", "os", "sys", "inspect", "traceback", "OWN", "check", "own"}
check(set(globals()) <= own, "other names")
for module in ("socket", "json", "ctypes", "runpy", "subprocess", "multiprocessing", "array"):
    check(module not in sys.modules or module in sys.stdlib_module_names and module == "array", f"{module} is imported")
check(gc.isenabled() and gc.get_threshold()[0] in (700, 2000) and not gc.garbage, "another collector")
check(sys.getrecursionlimit() == 1000 and not sys.flags.isolated and sys.flags.hash_randomization, "other flags")
check(sys.gettrace() is None and sys.getprofile() is None, "a tracer")
check(sys.excepthook is sys.__excepthook__ and sys.displayhook is sys.__displayhook__, "other hooks")
check(sys.stdin is sys.__stdin__ and sys.stdin.encoding.lower() == "utf-8", "another input")
check(sys.stdout.encoding.lower() == "utf-8" and not sys.stdout.line_buffering, "another output")
check((sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno()) == (0, 1, 2), "other streams")
check(sorted(os.environ) == ["HOME", "LANG", "PATH", "TMPDIR"], "another environment")
with open("/proc/self/cmdline", "rb") as file:
    check(file.read().split(b"\0")[1:-1] == [OWN.encode()], "another command line")
with open("/proc/self/status") as file:
    status = dict(line.split(":\t", 1) for line in file)
check(status["TracerPid"].strip() == "0" and status["Threads"].strip() == "1", "a tracer of the kernel")
check(os.getppid() == 1 and os.getpgrp() == os.getpid(), "another parent or process group")
check("def check(holds, what)" in inspect.getsource(check), "no source")
try:
    1 / 0
except ZeroDivisionError:
    shown = traceback.format_exc()
check(f'File "{OWN}", line ' in shown and "1 / 0" in shown, "another trace")
print(sum(map(int, input().split())))
