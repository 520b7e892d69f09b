"""Compiles several programs in one process, as `python3 -m py_compile` compiles one. The arguments are, for each
program, an empty word, its folder and its sources. Writes the folders of the programs that compile to the file
`compiled`, one per line."""

import os
import py_compile
import sys


def programs(words):
    """Yields the words of each program."""
    for word in words:
        if word == "":
            part = []
            yield part
        else:
            part.append(word)


def compiles(above, folder, sources):
    """Returns whether the program compiles. Its compiled files are written into its folder."""
    os.chdir(os.path.join(above, folder))
    try:
        for source in sources:
            py_compile.compile(source, doraise=True)
    except Exception:
        # The judge compiles this program alone, so that its author sees the usual message.
        return False
    finally:
        os.chdir(above)
    return True


def main():
    above = os.getcwd()
    # A list, because the words of a program are complete only when the next one begins.
    compiled = [folder for folder, *sources in list(programs(sys.argv[1:])) if compiles(above, folder, sources)]
    with open("compiled", "w") as file:
        file.writelines(folder + "\n" for folder in compiled)


main()
