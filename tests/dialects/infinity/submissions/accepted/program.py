print("+Infinity")
