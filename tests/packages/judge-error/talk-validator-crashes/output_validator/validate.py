# Crashes in the middle of the interaction.
print(1, flush=True)
input()
raise SystemError
