import sys
for name, text in {}.items():
    open(sys.argv[3] + name, "w").write(text)
sys.exit(42)
