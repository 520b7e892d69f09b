# Found before the first test case is run.
def solve(:
    pass
