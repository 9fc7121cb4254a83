"""Files of this and of other programs, read into a Model and written from one or from a result."""
