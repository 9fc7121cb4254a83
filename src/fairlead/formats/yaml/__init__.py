"""Model files: YAML with the line of every word, and its JSON schema."""
