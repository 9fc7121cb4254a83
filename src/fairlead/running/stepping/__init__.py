"""A run step by step from Python: applied forces, commands, states to go back to, and files of them."""
