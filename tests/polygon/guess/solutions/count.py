for number in range(10):
    print(number, flush=True)
    if input() == "right":
        break
