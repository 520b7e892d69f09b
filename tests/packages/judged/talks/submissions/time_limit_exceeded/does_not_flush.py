# Does not flush its output, so both programs wait for each other. (The function input() would flush.)
import sys

low, high = 1, 100
while True:
    guess = (low + high) // 2
    print(guess)
    answer = sys.stdin.readline().strip()
    if answer == "correct":
        break
    low, high = (low, guess - 1) if answer == "lower" else (guess + 1, high)
