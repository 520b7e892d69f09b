# The judge must report the syntax error before it runs the first test case.
def solve(:
    pass
