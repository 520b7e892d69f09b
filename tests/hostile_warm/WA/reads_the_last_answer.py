# Answers with the input of an earlier run, if any trace of it is left in its memory; otherwise with nothing.
import gc
import os
import re

own = os.read(0, 1 << 16)
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        start, end, mode = re.match(r"(\w+)-(\w+) (\S+)", line).groups()
        if "w" not in mode or "[stack]" in line:
            continue
        memory.seek(int(start, 16))
        try:
            part = memory.read(int(end, 16) - int(start, 16))
        except OSError:
            continue
        for found in re.findall(rb"MARK\d+ (\d+ \d+)\n", part):
            if found + b"\n" != own:
                print(found.decode())
note = f"MARK{os.getpid()} {own.decode()}"
gc.collect()
