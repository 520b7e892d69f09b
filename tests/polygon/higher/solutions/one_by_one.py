# Needs 37 guesses in one test and 9 in the other, more than the checker accepts.
guess = 1
print(guess, flush=True)
while input() != "right":
    guess += 1
    print(guess, flush=True)
