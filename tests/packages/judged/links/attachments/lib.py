def read():
    return open("again.txt").read().strip()
