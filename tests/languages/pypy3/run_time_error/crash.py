print([][3])
