raise ValueError("no such case")
