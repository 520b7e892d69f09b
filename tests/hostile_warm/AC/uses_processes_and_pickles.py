# Uses what depends on the main module and on new processes: pickles of own classes, forks, and the interpreter itself.
import multiprocessing
import os
import pickle
import subprocess
import sys


class Pair:
    def __init__(self, one, other):
        self.numbers = [one, other]


def total(pair):
    return sum(pair.numbers)


if __name__ == "__main__":
    pair = pickle.loads(pickle.dumps(Pair(*map(int, input().split()))))
    receiver, sender = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=lambda: sender.send(total(pair)))
    child.start()
    by_fork = receiver.recv()
    child.join()
    code = "import sys; print(sum(map(int, sys.argv[1:])))"
    command = [sys.executable, "-c", code, *map(str, pair.numbers)]
    by_command = int(subprocess.run(command, capture_output=True, check=True).stdout)
    spawned = multiprocessing.get_context("spawn").Process(target=os._exit, args=(7,))
    spawned.start()
    spawned.join()
    print(total(pair) if by_fork == by_command == total(pair) and spawned.exitcode == 7 else "different")
