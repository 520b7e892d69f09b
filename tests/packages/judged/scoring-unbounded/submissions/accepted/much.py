line = input()
print(line, {"secret_1_a": "1e6", "secret_1_b": "0.1", "secret_2_a": "3.5", "secret_2_b": "3.25"}.get(line, "-3"))
