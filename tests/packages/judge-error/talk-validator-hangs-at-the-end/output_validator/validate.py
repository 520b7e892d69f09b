# Never writes the line for which the submission waits, so neither program ends.
import time

time.sleep(60)
