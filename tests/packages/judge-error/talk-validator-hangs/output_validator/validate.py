# It never reads what it is told.
import time

print(1, flush=True)
time.sleep(60)
