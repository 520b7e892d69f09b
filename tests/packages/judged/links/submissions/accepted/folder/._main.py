this is not Python
