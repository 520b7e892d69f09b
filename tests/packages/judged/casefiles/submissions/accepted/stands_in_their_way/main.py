import os
import helper
name = input()
print(helper.read(name).strip() if os.path.exists(name) else name)
