print("accepted")
