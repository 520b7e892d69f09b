print("Hello\0junk")
