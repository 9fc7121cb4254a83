"""Where a model rests: freedoms about a state, the search for rest, and directions without restoring force."""
