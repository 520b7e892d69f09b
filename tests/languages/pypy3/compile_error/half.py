print("half"
