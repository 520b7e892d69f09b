import sys
from part import text
print(text(sys.argv[1]), "{{most}}", "{{least.word}}")
