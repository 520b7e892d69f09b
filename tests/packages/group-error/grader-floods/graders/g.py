while True: print("AC 1" * 1000)
