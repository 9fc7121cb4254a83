"""Models that come with Fairlead: the examples and the larger models, by name, and drafts of new ones."""
