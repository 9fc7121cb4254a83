"""Put an environment in place and become a partner: `become.py KEPT NAME=VALUE ... -- PROGRAM ARGUMENT ...`.

Needs nothing but Python, so that it takes no time. What the partner says on stderr goes to KEPT.stderr, and its process
to KEPT.RANK.pid, by which it is known to be alive and ended.
"""

import os
import sys


def main(words: list[str]) -> None:
    kept, at = words[0], words.index("--")
    for word in words[1:at]:
        name, _, value = word.partition("=")
        os.environ[name] = value
    rank = os.environ.get("PMI_RANK", os.environ.get("OMPI_COMM_WORLD_RANK", "0"))
    said = os.open(kept + ".stderr", os.O_WRONLY | os.O_CREAT | os.O_APPEND | (os.O_TRUNC if rank == "0" else 0), 0o600)
    for stream in (1, 2):
        os.dup2(said, stream)
    with open(kept + "." + rank + ".pid.new", "w") as file:
        file.write(str(os.getpid()))
    os.replace(kept + "." + rank + ".pid.new", kept + "." + rank + ".pid")
    os.execv(words[at + 1], words[at + 1 :])


if __name__ == "__main__":
    main(sys.argv[1:])
