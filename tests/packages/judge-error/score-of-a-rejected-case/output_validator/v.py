import sys
for name, text in {'score.txt': '0'}.items():
    open(sys.argv[3] + name, "w").write(text)
sys.exit(43)
