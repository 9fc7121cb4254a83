"""Second methods that tests compare the simulator with; they read a model's words and share no code with its kernels."""
