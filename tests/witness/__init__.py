"""Second methods that tests compare the simulator with; they read its words and share no code with its kernels."""
