def read(name):
    with open(name) as file:
        return file.read()
