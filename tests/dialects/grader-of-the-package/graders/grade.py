print("AC 77")
