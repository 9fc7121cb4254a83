"""Force and moment through any joint, from a recorded motion alone."""
