# Tries to create, change and remove files in many folders. Right if every attempt fails.
import os

a, b = map(int, input().split())
places = [".", "/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/etc", "/usr", "/usr/lib", "/home", "/root", "/run",
          "/proc", "/proc/self", "/mnt", os.path.expanduser("~"), os.environ.get("TMPDIR", "/tmp"),
          os.path.dirname(os.path.abspath(__file__)), ".."]
got = []


def tries(what, action):
    try:
        action()
        got.append(what)
    except (OSError, AttributeError):
        pass


for place in places:
    left = os.path.join(place, "left")
    tries(f"file in {place}", lambda: open(left, "w").close())
    tries(f"folder in {place}", lambda: os.mkdir(left + "-folder"))
    tries(f"link in {place}", lambda: os.symlink("/etc/passwd", left + "-link"))
    tries(f"pipe in {place}", lambda: os.mkfifo(left + "-pipe"))
for file in ["/etc/passwd", "/usr/bin/python3", __file__, "/proc/self/comm"]:
    tries(f"write {file}", lambda: open(file, "r+b").close())
    tries(f"mode of {file}", lambda: os.chmod(file, 0o777))
    tries(f"time of {file}", lambda: os.utime(file))
    tries(f"attribute of {file}", lambda: os.setxattr(file, "user.left", b"1"))
    tries(f"remove {file}", lambda: os.remove(file))
tries("attribute of .", lambda: os.setxattr(".", "user.left", b"1"))
tries("mode of .", lambda: os.chmod(".", 0o777))
print("; ".join(got) if got else a + b)
