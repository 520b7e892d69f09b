# Right after 37 guesses, and after 9: more than the checker likes.
guess = 1
print(guess, flush=True)
while input() != "right":
    guess += 1
    print(guess, flush=True)
