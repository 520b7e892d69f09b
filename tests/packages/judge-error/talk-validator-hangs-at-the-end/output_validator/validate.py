# The submission waits for a word that never comes, and then nobody ends.
import time

time.sleep(60)
