print("perhaps", flush=True)
