"""Models, data and programs that several tests share, and the pictures of the documentation."""
