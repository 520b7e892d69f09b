this is no Python
