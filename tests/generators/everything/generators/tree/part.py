def text(word):
    return word * 2
