# Tries to write outside its folder, which fails.
import os

a, b = map(int, input().split())
got = []
for place in ["..", "/tmp", "/", "/usr"]:
    try:
        open(os.path.join(place, "left"), "w").close()
        got.append(place)
    except OSError:
        pass
print(a + b if got else "nowhere")
