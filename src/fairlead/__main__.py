"""`python -m fairlead` is the command `fairlead`."""

from fairlead.cli import main

main()
