def read(name):
    return open(name).read()
