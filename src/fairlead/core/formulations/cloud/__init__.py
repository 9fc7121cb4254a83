"""The momentum cloud: six equations for a tree, and one more per free joint coordinate."""
