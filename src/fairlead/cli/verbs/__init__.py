"""The verbs of the command line, one file each, listed in `app`; heavy imports wait inside the functions."""
