"""Legacy `mbdm` cases: their files, keys, checkpoints and output."""
