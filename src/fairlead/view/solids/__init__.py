"""Bodies as triangles in their own axes, from `geometry` or from what is known of a body without it."""
