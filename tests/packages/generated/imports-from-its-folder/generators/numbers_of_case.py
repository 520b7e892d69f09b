import main


def several(number):
    return main.FACTOR * number
