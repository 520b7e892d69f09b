import time

time.sleep(2)
print(1)
