print("three")
