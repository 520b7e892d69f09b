import os
print("#.#" if os.path.exists("map.txt") else "nothing")
