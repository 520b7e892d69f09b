# Raises an exception: an index is out of range.
print([1, 2, 3][5])
